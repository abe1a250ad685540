"""The example host, installed as a package of its own, passes its own tests in an environment without the tree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import installed
import pytest
from installed import Environment

from conftest import ROOT

HOST = ROOT / "examples" / "host_app"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Seamwright's wheel, the host's wheel and pytest, in an environment of their own."""
    built = installed.build(tmp_path_factory.mktemp("dist"))
    environment = installed.install(built, tmp_path_factory.mktemp("environment"))
    installed.add_project(environment, HOST, tmp_path_factory.mktemp("host"), tools=["pytest", "hypothesis"])
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


USES_THE_PLUGIN = """
from seamwright_containers.pytest_plugin import assert_sendable

def test_fixtures(plan, pipeline, responses_server):
    assert pipeline.seams is plan.seams()
    assert responses_server.base_url.startswith("http://127.0.0.1:")

def test_assertion():
    assert_sendable({"model": "gpt-5.4", "store": False, "input": [{"type": "message", "role": "robot"}]})
"""


def test_the_plugin_comes_with_the_wheel(environment: Environment, tmp_path: Path) -> None:
    """Any pytest of the environment has its fixtures and assertions, with nothing said about them."""
    (tmp_path / "test_uses.py").write_text(USES_THE_PLUGIN, encoding="utf-8")
    done = environment.run(environment.python, "-m", "pytest", "-rA", "-p", "no:cacheprovider", cwd=tmp_path)

    assert "plugins: seamwright-" in done.stdout or ", seamwright-" in done.stdout
    assert "PASSED test_uses.py::test_fixtures" in done.stdout, done.stdout + done.stderr
    assert "AssertionError: openai refuses the request:" in done.stdout


def test_a_run_without_it_loads_nothing(environment: Environment, tmp_path: Path) -> None:
    """The plugin of the wheel is found, and neither the library nor what it needs is loaded."""
    heavy = {"attrs", "dependency_injector", "hypothesis", "openai", "orjson", "seamwright"}
    light = f"import sys\n\ndef test_light():\n    assert set() == {heavy!r} & set(sys.modules)\n"
    (tmp_path / "test_light.py").write_text(light, encoding="utf-8")
    done = environment.run(environment.python, "-m", "pytest", "-p", "no:cacheprovider", cwd=tmp_path)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "seamwright-" in done.stdout


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
