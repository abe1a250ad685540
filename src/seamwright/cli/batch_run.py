"""What ``seamwright batch`` does: read, render, write, and say what was skipped."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import attrs

from seamwright.batch.chunks import numbered
from seamwright.batch.ids import ClaimedIds
from seamwright.batch.line import BatchLine, Task
from seamwright.batch.rendering import render_lines, without_duplicates
from seamwright.cli.batch_input import StateLines
from seamwright.cli.batch_output import Part
from seamwright.cli.batch_resume import Remaining
from seamwright.cli.common import (
    CallError,
    InputError,
    find_pipeline,
    report_error,
    report_warning,
    report_warnings,
    settings,
)
from seamwright.cli.progress import Progress


def run(args: argparse.Namespace) -> int:
    """Renders and writes; 1 when a line was skipped."""
    pipeline = find_pipeline(args.container)
    folder = Path.cwd() if args.states == "-" else Path(args.states).parent
    task = Task(
        pipeline=pipeline if args.workers == 1 else args.container,
        options=settings(args.set),
        base_dir=str(folder),
        allow_paths=args.allow_paths,
    )
    with StateLines(args.states) as source, Part(args.output, args.resume, reads=source.identity) as part:
        batch = _Batch(args.states, Progress(sys.stderr, source))
        remaining = Remaining(numbered(source), part.requests(), attrs.evolve(task, pipeline=pipeline), batch.doubt)
        try:
            with closing(_rendered(remaining, task, args.workers)) as lines:
                for line in lines:
                    batch.take(line, part)
            remaining.check_complete(part.path)
            part.finish()
        except KeyboardInterrupt:
            batch.progress.clear()
            report_error(CallError("; ".join(["interrupted", *part.kept()])))
            raise
        except OSError as error:  # a full disk, most often
            told = f"{args.output}: can't be written: {error.strerror or error}"
            raise CallError("; ".join([told, *part.kept()])) from None
        except RuntimeError as error:  # no workers
            raise CallError(str(error)) from error
        finally:
            batch.progress.end()
    return batch.end()


def _rendered(remaining: Remaining, task: Task, workers: int) -> Generator[BatchLine, None, None]:
    """What becomes of each line that OUT.part does not hold yet."""
    with ClaimedIds() as ids, closing(render_lines(remaining.lines(ids), task, workers)) as lines:
        for line in lines:
            yield remaining.judged(without_duplicates(line, ids))


@attrs.define
class _Batch:
    """What was said so far, and how often."""

    name: str
    progress: Progress
    skipped: int = 0

    def take(self, line: BatchLine, part: Part) -> None:
        """Writes a line's request, and says what there is to say about it."""
        place = self._place(line.number)
        if line.request is not None:
            part.write(line.request)
        if line.problem is not None:
            self.skipped += 1
            self.progress.clear()
            for problem in line.problem.split("\n"):
                report_error(InputError(place, ValueError(problem)))
        if line.warnings:
            self.progress.clear()
            report_warnings(line.warnings, place)
        self.progress.show(line.number, self.skipped)

    def doubt(self, number: int, text: str) -> None:
        """Says something about a line that was done by an earlier run."""
        self.progress.clear()
        report_warning(text, self._place(number))

    def _place(self, number: int) -> str:
        return f"{'stdin' if self.name == '-' else self.name}:{number}"

    def end(self) -> int:
        """Says how many lines were skipped, and gives the exit code."""
        if not self.skipped:
            return 0
        lines = "1 line was" if self.skipped == 1 else f"{self.skipped} lines were"
        report_error(ValueError(f"{lines} skipped"))
        return 1
