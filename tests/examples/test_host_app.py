"""The example host, installed as a package of its own, passes its own tests in an environment without the tree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import installed
import pytest
from installed import Environment

from conftest import ROOT

# One worker builds and installs for all of them.
pytestmark = pytest.mark.xdist_group("host_app")

HOST = ROOT / "examples" / "host_app"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Seamwright's wheel, the host's wheel and pytest, in an environment of their own."""
    built = installed.build(tmp_path_factory.mktemp("dist"))
    environment = installed.install(built, tmp_path_factory.mktemp("environment"))
    installed.add_project(environment, HOST, tmp_path_factory.mktemp("host"), tools=["pytest"])
    return environment


def test_its_own_tests_pass(environment: Environment, tmp_path: Path) -> None:
    """Every test of the host runs against what is installed: beside them there is no source to import."""
    shutil.copytree(HOST / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOST / "pyproject.toml", tmp_path)
    done = environment.run(environment.python, "-m", "pytest", "-rA", "-p", "no:cacheprovider", cwd=tmp_path)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert {"test_seams.py", "test_tenants.py"} == {path.name for path in (HOST / "tests").glob("test_*.py")}
    for path in ("tests/test_seams.py", "tests/test_tenants.py"):
        assert f"PASSED {path}::" in done.stdout
    assert "SKIPPED" not in done.stdout


def test_its_command_is_installed(environment: Environment, tmp_path: Path) -> None:
    """The host's command prints what the model of each tenant gets."""
    done = environment.run(environment.folder / "bin" / "host-app", cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert "[customer level: gold]" in done.stdout
    assert "clinic: " in done.stdout


def test_its_graph_can_be_shown(environment: Environment, tmp_path: Path) -> None:
    """``seamwright seams`` finds the plan of the installed host: three seams overridden, one added."""
    command = environment.folder / "bin" / "seamwright"
    done = environment.run(command, "seams", "--json", "--container", "host_app:PLAN", cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    seams = json.loads(done.stdout)
    assert ["nonce", "neutraliser", "timeline_message"] == [seam["name"] for seam in seams if seam["overridden"]]
    assert ["badge"] == [seam["name"] for seam in seams if seam["default"] is None]
