"""How a contract is looked at: generated input, calls that are watched, and failures that say what was expected."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Final, NoReturn, TypeGuard, TypeVar, cast

import attrs
from hypothesis import HealthCheck, Phase, Verbosity, example, given, settings
from hypothesis.strategies import SearchStrategy

from seamwright.awaiting import MaybeAwaitable
from seamwright.check import check_request
from seamwright.errors import WiringError
from seamwright.model.endpoints import EndpointProfile
from seamwright.model.guards import is_array, is_mapping, is_record, is_tuple
from seamwright.model.text import has_lone_surrogates
from seamwright.shapes import check_shape, seam_protocols
from seamwright.testing.keeping import kept

T = TypeVar("T")

MAX_EXAMPLES: Final = 30
"""How many inputs a contract looks at, unless said otherwise."""


SHRINKING: Final = 100
"""How many inputs are tried to make the one that showed a mistake smaller."""


class _EnoughError(BaseException):
    """Ends a search: hypothesis lets pass what is no ``Exception``."""


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING: Final = _Nothing()
"""Stands for what a failure does not speak of."""


class ContractError(AssertionError):
    """A seam does not do what the pipeline relies on.

    ``seam`` is its name, ``expected`` what should have held, ``given`` the arguments of the call, as small as they
    could be made, and ``found`` what came of it. The last two are :data:`NOTHING` where there was no call.
    """

    def __init__(self, seam: str, expected: str, given: object = NOTHING, found: object = NOTHING) -> None:
        self.seam = seam
        self.expected = expected
        self.given = given
        self.found = found
        super().__init__(seam, expected, given, found)

    def __str__(self) -> str:
        lines = [f"seam {self.seam!r} breaks its contract: expected {self.expected}"]
        if self.given is not NOTHING:
            lines.append(f"  given: {_arguments(self.given)}")
        if self.found is not NOTHING:
            lines.append(f"  found: {self.found!r}")
        return "\n".join(lines)


def _arguments(given: object) -> str:
    return ", ".join(map(repr, given)) if is_tuple(given) else repr(given)


@attrs.define
class Trial:
    """One input of a contract: calls the seam, watches the calls, and fails in its name."""

    name: str
    runner: asyncio.Runner
    given: object = NOTHING

    def fail(self, expected: str, found: object = NOTHING, cause: BaseException | None = None) -> NoReturn:
        """Raises :class:`ContractError` about the last call."""
        raise ContractError(self.name, expected, self.given, found) from cause

    def expect(self, holds: bool, expected: str, found: object = NOTHING) -> None:
        """Fails unless *holds*."""
        if not holds:
            self.fail(expected, found)

    def once(
        self,
        function: Callable[..., Any],
        /,
        *arguments: Any,
        waits: bool = False,
        allowed: tuple[type[Exception], ...] = (),
        **keywords: Any,
    ) -> Any:
        """What a call gives, awaited where the seam may wait. Its arguments must stay as they are.

        An error among *allowed* is a result like any other.
        """
        before = kept(arguments), kept(keywords)
        self.given = (*before[0], keywords) if keywords else before[0]
        try:
            result = self._settled(function(*arguments, **keywords), waits)
        except ContractError:
            raise
        except allowed as error:
            return error
        except Exception as error:  # noqa: BLE001  # whatever a seam raises, the contract is broken
            self.fail("no exception for this input", error, error)
        self.expect((arguments, keywords) == before, "that its arguments stay as they are", (arguments, keywords))
        return result

    def call(self, function: Callable[..., Any], /, *arguments: Any, **how: Any) -> Any:
        """:meth:`once`, twice: a build that is repeated has to give the same request."""
        first = self.once(function, *kept(arguments), **how)
        shown = _comparable(kept(first))
        second = _comparable(self.once(function, *kept(arguments), **how))
        self.expect(shown == second, f"the same result for the same input, {shown!r}", second)
        return first

    def _settled(self, value: MaybeAwaitable[Any], waits: bool) -> Any:
        if not inspect.isawaitable(value):
            return value
        if not waits:
            if inspect.iscoroutine(value):
                value.close()
            self.fail("a plain result: this seam can't wait", value)
        return self.runner.run(_awaited(value))

    # --- shapes that several seams share

    def text(self, value: object, *, empty: bool = True) -> str:
        """A text that can go out in JSON."""
        if not isinstance(value, str):
            self.fail("a string", value)
        self.expect(not has_lone_surrogates(value), "a text without lone surrogates", value)
        self.expect(empty or bool(value.strip()), "a text that is not empty", value)
        return value

    def json(self, value: T) -> T:
        """A value that JSON gives back as it is: dicts with string keys, lists, no tuples, no NaN."""
        try:
            text = json.dumps(value, allow_nan=False, ensure_ascii=False)
            text.encode()
        except (TypeError, ValueError) as error:
            self.fail(f"what JSON can hold ({error})", value, error)
        self.expect(json.loads(text) == value, "what JSON gives back as it is: string keys, lists and no tuples", value)
        return value

    def mapping(self, value: object) -> dict[str, Any]:
        """A dict of JSON."""
        if not isinstance(value, dict):
            self.fail("a dict", value)
        return self.json(cast("dict[str, Any]", value))

    def mappings(self, value: object) -> list[dict[str, Any]]:
        """A list of dicts of JSON."""
        return [self.mapping(one) for one in self.listed(value)]

    def listed(self, value: object) -> list[Any]:
        """A list, of whatever it may be."""
        return value if _is_list(value) else self.fail("a list", value)

    def accepted(self, found: object, endpoint: EndpointProfile, *, known: Collection[str] = (), **body: Any) -> None:
        """That the API takes a request with this in it, but for the rules that the input itself breaks."""
        nothing: list[Any] = []
        request: dict[str, Any] = {"model": "gpt-5.4", "store": False, "input": nothing, **body}
        found_wrong = [one for one in check_request(request, endpoint) if one.severity == "error"]
        errors = [str(one) for one in found_wrong if one.rule not in known]
        self.expect(not errors, f"what the API takes on {endpoint.name} ({'; '.join(errors)})", found)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


async def _awaited(value: Any) -> Any:
    return await value


def _comparable(value: object) -> object:
    """A value to be compared by what it says: an error by its type and text, records without equality by fields."""
    if isinstance(value, Exception):
        return type(value), str(value)
    if is_array(value):
        return [_comparable(one) for one in value]
    if is_record(value):
        names = [field.name for field in attrs.fields(type(value))]
        return type(value), {name: _comparable(getattr(value, name)) for name in names}
    return value


# Without "explain" hypothesis gives up early, and shows inputs that are larger than they have to be.
_PHASES: Final = (Phase.explicit, Phase.generate, Phase.shrink, Phase.explain)
_CHECKS: Final = ("data_too_large", "filter_too_much", "large_base_example", "nested_given", "too_slow")
_UNHURRIED: Final = tuple(getattr(HealthCheck, name) for name in _CHECKS if hasattr(HealthCheck, name))
"""What hypothesis says of a strategy is nothing a host could mend. ``nested_given`` is younger than the rest."""


def examine(
    name: str,
    seam: object,
    inputs: SearchStrategy[T],
    look: Callable[[Trial, T], None],
    *,
    max_examples: int = MAX_EXAMPLES,
    always: Iterable[T] = (),
) -> None:
    """Looks at a seam with *max_examples* inputs, the same in every run, and those of *always* before them.

    Raises :class:`ContractError` for the smallest input that shows what is wrong.
    """
    protocol = seam_protocols()[name]
    try:
        check_shape(name, seam, protocol)
    except WiringError as error:
        raise ContractError(name, f"the shape of its Protocol ({error})") from error
    if _inside_a_loop():
        with ThreadPoolExecutor(1) as other:
            other.submit(copy_context().run, _examine, name, inputs, look, max_examples, tuple(always)).result()
    else:
        _examine(name, inputs, look, max_examples, tuple(always))


def _inside_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _examine(
    name: str, inputs: SearchStrategy[T], look: Callable[[Trial, T], None], max_examples: int, always: Sequence[T]
) -> None:
    # Not entered, because entering makes the loop; with a factory, because without one the thread's own loop is reset.
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    failures: list[ContractError] = []

    looks = itertools.count()

    def holds(value: T) -> None:
        if failures and next(looks) > SHRINKING:
            raise _EnoughError
        try:
            look(Trial(name, runner), value)
        except ContractError as failure:
            failures.append(failure)
            raise

    test: Any = settings(
        max_examples=max_examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=_PHASES,
        suppress_health_check=_UNHURRIED,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )(given(inputs)(holds))
    for one in reversed(always):  # the last decorator is the first to be tried
        test = example(one)(test)
    try:
        test()
    except (Exception, _EnoughError):
        if not failures:
            raise
        # Not what hypothesis raises: where a seam fails by chance, it would speak of that alone.
        smallest = min(failures, key=lambda failure: len(repr(failure.given)))
        raise ContractError(smallest.seam, smallest.expected, smallest.given, smallest.found) from smallest.__cause__
    finally:
        runner.close()


def flatten(value: object) -> str:
    """Every text in a value, one after the other: what a model reads of it."""
    if isinstance(value, str):
        return value
    if is_mapping(value):
        return "\n".join(flatten(one) for one in value.values())
    if is_array(value):
        return "\n".join(flatten(one) for one in value)
    return ""
