"""Every error Seamwright raises.

The tree::

    SeamwrightError
    ├── InvalidStateError       the state, the options or an argument of ``build`` is wrong: all faults, with paths
    ├── TokenizableError        a callable text raised, or gave something that is no string
    ├── SeamError               a seam raised: which seam, over what, and the cause
    ├── WiringError             a container, an override or a plan does not fit the seams
    ├── UnsupportedMediaError   a media can't go natively and the policy is ``throw``
    ├── StrictSchemaError       a tool's schema can't be made to conform to ``strict: true``
    ├── SchemaError             a block of a protocol history has no form in a request
    ├── InvalidRequestError     the request breaks rules of the API: all violations
    ├── IngestError             a response of which nothing can be made, with the path
    ├── OutlineError            what was to be explained is no request and no outline
    ├── StreamFailedError       a response stream ended in failure
    └── ContextOverflowError    the request is over the token budget
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from seamwright.check import Violation


def nearest(name: str, known: Iterable[str]) -> str:
    """The words ``(did you mean 'x'?)`` for the closest known name, after a space; or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def printable(text: str) -> str:
    """A text on one line, with nothing in it that a terminal would act on."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class SeamwrightError(Exception):
    """The root: catching it catches everything the library raises on purpose."""


@attrs.frozen
class Fault:
    """One thing wrong with a state.

    ``path`` says where (``messages[3].created_at``), ``problem`` what is wrong and what would be right. As text it is
    one line, whatever keys the path is made of.
    """

    path: str
    problem: str

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.problem}" if self.path else self.problem)


class InvalidStateError(SeamwrightError, ValueError):
    """A state, its options or an argument of ``build`` is wrong.

    ``faults`` holds every fault, in the order they stand in the input.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)

    @property
    def fields(self) -> list[str]:
        """The sorted paths of all faults."""
        return sorted(fault.path for fault in self.faults)


class TokenizableError(SeamwrightError):
    """A callable text raised, or gave something else than a string.

    ``owner`` names what it belongs to (``Message u1.content``).
    """

    def __init__(self, owner: str, problem: str) -> None:
        self.owner = owner
        self.problem = problem
        super().__init__(owner, problem)

    def __str__(self) -> str:
        return f"{self.owner}: {self.problem}"


class SeamError(SeamwrightError):
    """A seam raised.

    ``seam`` is its name, ``subject_id`` the id of what it was rendering (None when it renders no single thing).
    """

    def __init__(self, seam: str, subject_id: str | None, cause: BaseException) -> None:
        self.seam = seam
        self.subject_id = subject_id
        self.cause = cause
        super().__init__(seam, subject_id, cause)

    def __str__(self) -> str:
        over = f" over {self.subject_id!r}" if self.subject_id is not None else ""
        return f"seam {self.seam!r}{over} raised {type(self.cause).__name__}: {self.cause}"


class WiringError(SeamwrightError, TypeError):
    """A container, an override or a plan does not fit the seams.

    An unknown name, a wrong shape, a missing or surplus injection, or a cycle.
    """


class UnsupportedMediaError(SeamwrightError):
    """A media can't be sent natively and ``unsupported_media_policy`` is ``throw``."""

    def __init__(self, kind: str, mime_type: str, filename: str) -> None:
        self.kind = kind
        self.mime_type = mime_type
        self.filename = filename
        super().__init__(kind, mime_type, filename)

    def __str__(self) -> str:
        return (
            f"{self.kind} {self.filename!r} of type {self.mime_type!r} can't be sent natively; set"
            " unsupported_media_policy to 'fallback-stash' or 'synthetic-description' to send a text in its place"
        )


class StrictSchemaError(SeamwrightError):
    """A tool's schema can't conform to ``strict: true``.

    ``path`` is the place in the schema (``properties.m.additionalProperties``).
    """

    def __init__(self, path: str, problem: str, tool: str | None = None) -> None:
        self.path = path
        self.problem = problem
        self.tool = tool
        super().__init__(path, problem, tool)

    def __str__(self) -> str:
        owner = f"tool {self.tool!r}: " if self.tool else ""
        return f"{owner}{self.path or 'schema'}: {self.problem}"


class SchemaError(SeamwrightError):
    """A block of a protocol history has no form in a request. ``block`` is its type."""

    def __init__(self, block: str, problem: str) -> None:
        self.block = block
        self.problem = problem
        super().__init__(block, problem)

    def __str__(self) -> str:
        return f"{self.block}: {self.problem}"


class InvalidRequestError(SeamwrightError):
    """The request breaks rules of the API. ``violations`` holds all of them, errors and warnings."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        super().__init__(self.violations)

    def __str__(self) -> str:
        errors = [v for v in self.violations if v.severity == "error"]
        return "\n".join(f"{v.rule} {v.path}: {v.message}" for v in errors)


class IngestError(SeamwrightError):
    """Nothing can be made of a response. ``path`` says where in it (``output[2].type``)."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path or 'response'}: {self.problem}"


class OutlineError(SeamwrightError, ValueError):
    """What was to be explained is no request, no build and no outline."""


class StreamFailedError(SeamwrightError):
    """A response stream ended with ``response.failed`` or ``error``.

    ``code`` is the provider's own, when it gave one.
    """

    def __init__(self, message: str, code: str | None = None) -> None:
        self.message = message
        self.code = code
        super().__init__(message, code)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" if self.code else self.message


class ContextOverflowError(SeamwrightError):
    """The request is over its budget: ``total`` and ``budget`` in tokens, ``per_bucket`` in tokens by bucket name."""

    def __init__(self, total: int, budget: int, per_bucket: Mapping[str, int]) -> None:
        self.total = total
        self.budget = budget
        self.per_bucket = dict(per_bucket)
        super().__init__(total, budget, self.per_bucket)

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count}" for name, count in self.per_bucket.items())
        return f"{self.total} tokens are over the budget of {self.budget} ({parts})"
