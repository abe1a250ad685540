"""Wrong uses of the errors."""

from __future__ import annotations

from seamwright.errors import Fault, InvalidStateError, SeamError

Fault(path="messages[0].role")  # E: what is wrong has to be said
Fault(path=0, problem="no role")  # E: a path is text
InvalidStateError("no role")  # E: faults, not a text
SeamError("thought", "t1", "no text")  # E: the cause is an exception


def frozen(fault: Fault) -> None:
    fault.path = "messages[1]"  # E: a fault is frozen


def unknown(error: SeamError) -> None:
    print(error.subject)  # E: the attribute is subject_id
