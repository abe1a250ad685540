"""How the documentation is built. Nothing is fetched: links to other projects' references stay plain names."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "Seamwright"
author = "Seamwright contributors"
copyright = "Seamwright contributors"
release = version = version_of("seamwright")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["conftest.py"]
html_theme = "furo"
html_title = f"Seamwright {release}"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
