"""Build the distribution as a user's installer would, and install it beside nothing but what it declares."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import Final

import attrs
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parents[2]
_OFFLINE: Final = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@attrs.frozen
class Built:
    """The two files of a release; the wheel comes out of the sdist, not out of the tree."""

    sdist: Path
    wheel: Path

    def in_sdist(self) -> set[str]:
        """Paths in the sdist, without the folder that holds them all."""
        with tarfile.open(self.sdist) as archive:
            return {name.partition("/")[2] for name in archive.getnames()}

    def in_wheel(self) -> set[str]:
        """Paths in the wheel."""
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())


@attrs.frozen
class Environment:
    """A virtual environment without pip that holds the wheel and its declared requirements."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Its site-packages folder."""
        return next(self.folder.glob("lib/python3*/site-packages"))

    def run(self, *command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a command outside the tree, with nothing on the path that the environment does not hold itself."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
        return subprocess.run(
            list(map(str, command)),
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )


def build(folder: Path) -> Built:
    """Build the sdist from the tree and the wheel from the sdist, with the build backend that runs these tests."""
    _run("hatchling", "build", "--target", "sdist", "--directory", folder, cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, sdist)
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


def install(built: Built, folder: Path) -> Environment:
    """A new environment with the wheel. Its requirements are linked from the environment of the tests.

    Only what the wheel declares is linked, and what that declares in turn, so a requirement that is used and not
    declared is missing here as it would be for a user; nothing is downloaded.
    """
    venv.create(folder, symlinks=True)
    environment = Environment(folder)
    _pip("--python", environment.python, "install", "--no-deps", built.wheel)
    (wheel,) = distributions(name="seamwright", path=[str(environment.packages)])
    for needed in _closure(wheel):
        _link(needed, environment.packages)
    _pip("--python", environment.python, "check")
    return environment


def add_project(environment: Environment, project: Path, folder: Path, tools: Iterable[str] = ()) -> None:
    """A project of its own beside the wheel, built as its installer would, and tools linked for its tests.

    ``folder`` is where its wheel is built; nothing is written to the project.
    """
    copy = folder / project.name
    shutil.copytree(project, copy, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, copy)
    (wheel,) = folder.glob("*.whl")
    _pip("--python", environment.python, "install", "--no-deps", wheel)
    for tool in map(distribution, tools):
        for needed in (tool, *_closure(tool)):
            _link(needed, environment.packages)
    _pip("--python", environment.python, "check")


def _closure(root: Distribution) -> Iterator[Distribution]:
    seen: set[str] = set()
    waiting = [root]
    while waiting:
        for line in waiting.pop().requires or ():
            requirement = Requirement(line)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if wanted and requirement.name not in seen:
                seen.add(requirement.name)
                found = distribution(requirement.name)
                waiting.append(found)
                yield found


def _link(needed: Distribution, packages: Path) -> None:
    for top in {file.parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
        link = packages / top
        if not link.exists():
            link.symlink_to(Path(str(needed.locate_file(top))))


def _pip(*arguments: str | Path) -> None:
    _run("pip", *arguments, cwd=ROOT)


def _run(module: str, *arguments: str | Path, cwd: Path) -> None:
    """Run a module of the tests' own environment; its output is the message when it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | _OFFLINE,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
