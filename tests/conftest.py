"""Where things are, how hard hypothesis looks, and how a test asks for material from outside the repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared"))
"""Material that is not part of the repository: recorded responses, wire captures. It may be absent."""

# No deadline: the machine is shared, and what has to be fast is measured by the benchmarks. Derandomised where a run
# decides over a change, so that the change is not held up by what it did not touch.
settings.register_profile("modest", max_examples=40, deadline=None, derandomize=bool(os.environ.get("CI")))
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "modest"))


def shared_folder(name: str) -> Path:
    """The folder ``name`` of the shared material; skips the calling test, or the whole calling module, when absent."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no shared folder {name!r} (SEAMWRIGHT_SHARED tells where to look)", allow_module_level=True)
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the shared material, which may not exist: ask for one of its folders with ``shared_folder``."""
    return SHARED


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--sessions`` runs the tests with every pipeline remembering its last build, as a render session does."""
    parser.addoption("--sessions", action="store_true", help="let every pipeline build through a session of its own")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """With ``--sessions``, what holds of a build from nothing alone is skipped."""
    if item.config.getoption("--sessions") and item.get_closest_marker("cold"):
        pytest.skip("is about builds from nothing")


@pytest.fixture(autouse=True, scope="session")
def through_sessions(pytestconfig: pytest.Config) -> Iterator[None]:
    """With ``--sessions``, each build goes on from what its pipeline's build before it left, once that has ended."""
    if not pytestconfig.getoption("--sessions"):
        yield
        return
    from seamwright.pipeline.memory import Memory
    from seamwright.pipeline.pipeline import Pipeline

    kept: dict[int, tuple[Pipeline, Memory]] = {}
    build = Pipeline.build_with

    async def remembering(self: Pipeline, *arguments: Any, memory: Memory | None = None) -> Any:
        if memory is not None:
            return await build(self, *arguments, memory=memory)
        _, own = kept.pop(id(self), (self, Memory()))
        assembled = await build(self, *arguments, memory=own)
        kept[id(self)] = self, own
        return assembled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pipeline, "build_with", remembering)
        yield


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Takes a line that the end of the run shows, whether or not the test passes: how many of how many."""
    return lambda line: record_property(_FIGURE, line)


_FIGURE: Final = "figure"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows the figures of all tests; they come with the reports, so also from the processes of a parallel run."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    lines = [value for report in reports for name, value in report.user_properties if name == _FIGURE]
    if lines:
        terminalreporter.section("figures")
    for line in sorted(set(map(str, lines))):
        terminalreporter.line(line)
