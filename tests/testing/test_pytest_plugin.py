"""The pytest plugin, in runs of its own: its fixtures, what a host can put in their place, and what it costs others."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PLUGIN = "seamwright_containers.pytest_plugin"

# What a run that uses nothing of the plugin must not have loaded.
HEAVY = {"attrs", "dependency_injector", "hypothesis", "openai", "orjson", "seamwright", "xxhash"}


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder for a host's tests; of all plugins, only this one is loaded."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
    pytester.makeini(f"[pytest]\naddopts = -p {PLUGIN} -p no:cacheprovider\nfilterwarnings = error\n")
    return pytester


def test_the_fixtures_give_what_they_say(run: pytest.Pytester) -> None:
    """A plan, a pipeline of it, and a server that answers and checks."""
    run.makepyfile(
        """
        import json, urllib.request
        import seamwright, seamwright_containers
        from seamwright.testing.items import message, response

        def test_plan(plan, pipeline):
            assert isinstance(plan, seamwright_containers.Plan)
            assert isinstance(pipeline, seamwright.Pipeline)
            assert pipeline.seams is plan.seams()

        def test_server(responses_server):
            responses_server.reply_with(response(message("Hello.")))
            body = json.dumps({"model": "gpt-5.4", "store": False, "input": "Hi."}).encode()
            with urllib.request.urlopen(f"{responses_server.base_url}/responses", body) as reply:
                assert "Hello." in reply.read().decode()
            assert responses_server.requests[0]["input"] == "Hi."

        def test_another_server(responses_server):
            assert responses_server.requests == []
        """
    )
    run.runpytest_subprocess().assert_outcomes(passed=3)


def test_a_host_puts_its_own_plan_in_place(run: pytest.Pytester) -> None:
    """A fixture of that name in a conftest, of whatever scope; ``pipeline`` follows."""
    run.makeconftest(
        """
        import pytest
        from seamwright_containers import Plan, ResponsesContainer, swap

        @pytest.fixture
        def plan():
            container = ResponsesContainer()
            swap(container.safety_directive, lambda: "OURS")
            return Plan.compile(container)
        """
    )
    run.makepyfile("def test_ours(pipeline):\n    assert pipeline.seams.safety_directive() == 'OURS'\n")
    run.runpytest_subprocess().assert_outcomes(passed=1)


def test_assertions_come_with_it(run: pytest.Pytester) -> None:
    """Every public name of the assertions is one of the plugin; a failure shows the test's line, and no inner ones."""
    run.makepyfile(
        f"""
        import pytest
        from seamwright.testing import assertions
        import {PLUGIN} as plugin
        from {PLUGIN} import assert_request_equal

        def test_names():
            names = {{name for name in vars(assertions) if name.startswith("assert_")}}
            assert names == {{name for name in plugin.__all__ if name.startswith("assert_")}}
            assert plugin.assert_warned is assertions.assert_warned
            with pytest.raises(AttributeError):
                plugin.assert_anything

        def test_fails():
            assert_request_equal({{"input": []}}, {{"input": "Hi."}})
        """
    )
    result = run.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*the requests differ at input:*", "*expected 'Hi.'"])
    assert "__tracebackhide__" not in result.stdout.str()


def test_a_run_that_does_not_use_it_does_not_pay(run: pytest.Pytester) -> None:
    """Nothing of the library is loaded, nor what it needs: neither while tests are collected nor while they run."""
    run.makepyfile(f"import sys\n\ndef test_light():\n    assert set() == {HEAVY!r} & set(sys.modules)\n")
    run.runpytest_subprocess().assert_outcomes(passed=1)


def test_fixtures_are_documented(run: pytest.Pytester) -> None:
    """``pytest --fixtures`` tells what each is for."""
    run.makepyfile("def test_nothing(): pass")
    lines = run.runpytest_subprocess("--fixtures").stdout.str()
    assert all(f"\n{name}" in lines for name in ("plan", "pipeline", "responses_server"))
    assert "no docstring available" not in lines.partition(PLUGIN)[2]


def test_it_is_registered_by_name(root: Path) -> None:
    """The entry point by which pytest finds it."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"pytest11": {"seamwright": PLUGIN}} == project["entry-points"]


@pytest.mark.parametrize("module", ["seamwright", "seamwright.cli", "seamwright_containers.responses"])
def test_the_library_loads_no_test_tools(module: str) -> None:
    """Neither the kit, nor hypothesis, nor pytest."""
    program = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert module in loaded
    assert [] == [name for name in loaded if name.startswith(("hypothesis", "pytest", "seamwright.testing"))]
