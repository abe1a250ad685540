"""What one walk over ``input`` remembers for the rules that look at several items."""

from __future__ import annotations

from typing import Any, Final, Literal

from seamwright.check.fields import ANSWER_OF, ITEM_KEYS

Role = Literal["turn", "agent", "reasoning", "answer", "neutral", "reference"]
"""How an item stands in the history.

``turn``: a user, system or developer message, which begins a new turn. ``agent``: an output item of the agent.
``answer``: what a client (or a hosted tool) gave back. ``neutral``: neither. ``reference``: an ``item_reference``,
which may be any of them.
"""

ANSWERS: Final = frozenset(
    {
        *ANSWER_OF.values(),
        "mcp_approval_response",
        "tool_search_output",
        "program_output",
    }
)
_NEUTRAL: Final = frozenset({"additional_tools", "configuration_update", "compaction_trigger"})
_ROLES: Final[dict[str, Role]] = {
    "reasoning": "reasoning",
    "item_reference": "reference",
    **dict.fromkeys((kind for kind in ITEM_KEYS if kind.endswith("_call")), "agent"),
    **dict.fromkeys(("mcp_list_tools", "mcp_approval_request", "compaction", "program"), "agent"),
    **dict.fromkeys(ANSWERS, "answer"),
    **dict.fromkeys(_NEUTRAL, "neutral"),
}


def type_of(item: dict[str, Any]) -> str:
    """The type of an item by name: one without is a message when it has a role or content, else a reference; ``?`` for
    odd ones.
    """
    given = item.get("type")
    if given is None:
        return "message" if "role" in item or "content" in item else "item_reference"
    return given if type(given) is str else "?"


def fixed_role(item_type: str) -> Role | None:
    """The role of all items of a type; None where the item decides."""
    return _ROLES.get(item_type)


def role_of(item: dict[str, Any], item_type: str) -> Role:
    """The role of an item of that type; unknown types are the agent's unless their name says they are an answer."""
    if item_type == "message":
        return "agent" if item.get("role") == "assistant" else "turn"
    known = _ROLES.get(item_type)
    return known or ("answer" if item_type.endswith(("_output", "_response")) else "agent")


class History:
    """Places of calls, answers, ids and reasoning in ``input``, by index.

    ``calls``: (index, type, call_id). ``answers``: (index, type, key), where the key is what names the call:
    ``call_id``, the ``id`` of a ``local_shell_call_output``, the ``approval_request_id`` of an
    ``mcp_approval_response``. ``first_call``, ``answered``: by key. ``first_id``, ``repeated_ids``: of item ids.
    ``reasoning``: references to it among them. ``reference``: index of the first ``item_reference`` that may stand for
    a call.
    """

    __slots__ = (
        "answered",
        "answers",
        "calls",
        "first_call",
        "first_id",
        "reasoning",
        "reference",
        "repeated_ids",
        "roles",
    )

    def __init__(self) -> None:
        self.calls: list[tuple[int, str, str]] = []
        self.answers: list[tuple[int, str, str]] = []
        self.first_call: dict[str, int] = {}
        self.answered: dict[str, set[str]] = {}
        self.first_id: dict[str, int] = {}
        self.repeated_ids: list[tuple[int, str]] = []
        self.reasoning: list[int] = []
        self.roles: list[Role] = []
        self.reference: int | None = None

    def see(self, index: int, item: dict[str, Any], item_type: str, role: Role) -> None:
        """Remember one item; the items come in order, every one of them."""
        self.roles.append(role)
        item_id = item.get("id")
        if type(item_id) is str and item_type != "local_shell_call_output":
            self._see_id(index, item_id)
        if role == "answer":
            self._see_answer(index, item, item_type)
        elif role == "agent" and item_type != "message":
            self._see_call(index, item, item_type)
        elif role == "reasoning":
            self.reasoning.append(index)
        elif role == "reference":
            self._see_reference(index, item_id)

    def skip(self) -> None:
        """Remember that the next item is none."""
        self.roles.append("neutral")

    def _see_id(self, index: int, item_id: str) -> None:
        if self.first_id.setdefault(item_id, index) != index:
            self.repeated_ids.append((index, item_id))

    def _see_call(self, index: int, item: dict[str, Any], item_type: str) -> None:
        call_id = item.get("call_id")
        if type(call_id) is str:
            self.calls.append((index, item_type, call_id))
            self.first_call.setdefault(call_id, index)

    def _see_answer(self, index: int, item: dict[str, Any], item_type: str) -> None:
        key = answer_key(item, item_type)
        if type(key) is str:
            self.answers.append((index, item_type, key))
            self.answered.setdefault(key, set()).add(item_type)

    def _see_reference(self, index: int, item_id: object) -> None:
        if type(item_id) is not str:
            return
        if item_id.startswith("rs_"):
            self.reasoning.append(index)
        elif self.reference is None and not item_id.startswith("msg"):
            self.reference = index


def answer_key(item: dict[str, Any], item_type: str) -> Any:
    """What names the call that an answer belongs to."""
    if item_type == "local_shell_call_output":
        return item.get("id")
    return item.get("approval_request_id" if item_type == "mcp_approval_response" else "call_id")
