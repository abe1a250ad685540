"""How the documentation is built. Nothing is fetched: links to other projects' references stay plain names."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "Seamwright"
author = "Seamwright contributors"
copyright = "Seamwright contributors"
release = version = version_of("seamwright")

extensions = ["myst_parser", "sphinx.ext.apidoc", "sphinx.ext.autodoc"]
exclude_patterns = ["reference/*/modules.rst"]
html_theme = "furo"
html_title = f"Seamwright {release}"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

# One page for each package, made at every build: a new module is in the reference without anybody adding it.
apidoc_modules = [
    {
        "path": f"../{folder}",
        "destination": f"reference/{name}",
        "max_depth": 1,
        "module_first": True,
        "automodule_options": {"members", "show-inheritance"},
    }
    for folder, name in (("src/seamwright", "library"), ("containers/seamwright_containers", "containers"))
]
# A name stands where it is defined. Listed again where it is exported, it would be an ambiguous target.
autodoc_default_options = {"members": True, "show-inheritance": True, "ignore-module-all": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
# The annotation ``type`` meets every attribute of that name, and each meeting would be a warning.
suppress_warnings = ["ref.python"]
