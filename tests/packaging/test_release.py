"""What a user gets: the sdist, the wheel built from it, and the wheel installed."""

from __future__ import annotations

import json
import re
import tomllib
from email.message import Message
from importlib.metadata import distributions
from pathlib import Path

import installed
import pytest
from installed import ROOT, Built, Environment

EXAMPLE = ROOT / "examples" / "support_agent.json"
PACKAGES = {
    "seamwright": ROOT / "src" / "seamwright",
    "seamwright_containers": ROOT / "containers" / "seamwright_containers",
}

LEFT_BEHIND = re.compile(r"__pycache__|_cache/|\.pyc$|(^|/)\.(?!gitignore)|^(build|dist|docs/reference)/")

# Modules that need an extra, and say so by their name.
NEED_AN_EXTRA = r"seamwright\.testing(\..*)?|seamwright\.show\.terminal|seamwright_containers\.pytest_plugin"

IMPORT_ALL = """
import importlib, pkgutil, re, sys
import seamwright, seamwright_containers
for package in (seamwright, seamwright_containers):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not re.fullmatch(sys.argv[1], found.name) and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            print(found.name)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Sdist and wheel of the tree as it stands."""
    return installed.build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def environment(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel in an environment of its own."""
    return installed.install(built, tmp_path_factory.mktemp("environment"))


def _sources(package: str) -> set[str]:
    """The package's files in the tree, as the wheel should name them."""
    folder = PACKAGES[package]
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{package}/{path.relative_to(folder).as_posix()}" for path in files}


def test_the_wheel_holds_both_packages_and_nothing_else(built: Built) -> None:
    """Every file of the two packages is in the wheel, their type markers too; beside them there is only metadata."""
    expected = _sources("seamwright") | _sources("seamwright_containers")
    code = {name for name in built.in_wheel() if ".dist-info/" not in name}

    assert expected == code
    assert {"seamwright/py.typed", "seamwright_containers/py.typed"} <= code


def test_the_sdist_holds_what_a_packager_needs(built: Built) -> None:
    """Sources, tests, documentation, example and licence are in the sdist; what tools leave behind is not."""
    names = built.in_sdist()

    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "tests/conftest.py", "docs/conf.py"} <= names
    assert {"src/seamwright/py.typed", "containers/seamwright_containers/py.typed"} <= names
    assert set() == {name for name in names if LEFT_BEHIND.search(name)}


def test_the_metadata_says_what_pyproject_says(environment: Environment) -> None:
    """Name, version, Python, licence and command of the installed distribution are those of ``pyproject.toml``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wheel,) = distributions(name="seamwright", path=[str(environment.packages)])
    metadata = wheel.metadata
    assert isinstance(metadata, Message)

    assert (project["name"], project["version"]) == (metadata["Name"], metadata["Version"])
    assert (project["requires-python"], "MIT") == (metadata["Requires-Python"], metadata["License-Expression"])
    assert ["seamwright"] == [entry.name for entry in wheel.entry_points if entry.group == "console_scripts"]
    assert ["seamwright"] == [entry.name for entry in wheel.entry_points if entry.group == "pytest11"]


def test_the_installed_command_renders_the_example(environment: Environment, tmp_path: Path) -> None:
    """``seamwright render`` of the installed wheel prints the example's request, from a folder outside the tree."""
    done = environment.run(environment.folder / "bin" / "seamwright", "render", EXAMPLE, cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    request = json.loads(done.stdout)
    assert json.loads(EXAMPLE.read_text(encoding="utf-8"))["model"] == request["model"]
    assert request["store"] is False
    assert {"message", "function_call", "function_call_output"} <= {item["type"] for item in request["input"]}


def test_the_library_loads_no_framework(environment: Environment, tmp_path: Path) -> None:
    """``import seamwright`` loads neither dependency_injector nor the wiring, and comes from the environment."""
    program = "import sys, seamwright; print(seamwright.__file__, *sorted({m.partition('.')[0] for m in sys.modules}))"
    done = environment.run(environment.python, "-W", "error", "-c", program, cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    where, *modules = done.stdout.split()
    assert Path(where).is_relative_to(environment.packages)
    assert set() == {"dependency_injector", "seamwright_containers"} & set(modules)


def test_every_module_loads_with_what_is_declared(environment: Environment, tmp_path: Path) -> None:
    """No module but those of an extra needs a package that the wheel does not declare."""
    done = environment.run(environment.python, "-c", IMPORT_ALL, NEED_AN_EXTRA, cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert {"seamwright.errors", "seamwright.model", "seamwright.pipeline", "seamwright.cli"} <= set(
        done.stdout.split()
    )
