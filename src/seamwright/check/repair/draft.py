"""The body under repair, which remembers where everything stood, and the list of changes."""

from __future__ import annotations

from typing import Any

from seamwright.check.history import role_of, type_of
from seamwright.check.json_types import Object, is_list, is_object
from seamwright.check.repair.change import Action, Change
from seamwright.check.repair.text import kept_message
from seamwright.model.endpoints import EndpointProfile


class Draft:
    """The body on which the fixes work, and what was done to it so far. It changes in place.

    Items are removed and inserted at the end of a round (``settle``), so that the places a check gave stay right until
    then.
    """

    def __init__(self, body: Object, changes: list[Change], profile: EndpointProfile) -> None:
        self.body = body
        self.changes = changes
        self.profile = profile
        self._origins: dict[int, str] = {}
        # keeps what left the body alive, so that no new object gets its id
        self._seen: list[Any] = []
        self._gone: set[int] = set()
        self._behind: dict[int, list[Any]] = {}
        for index, item in enumerate(self.items):
            self.remember(item, f"input[{index}]")
            self._remember_parts(item, index)
        for index, tool in enumerate(self.tools):
            self.remember(tool, f"tools[{index}]")

    def _remember_parts(self, item: Any, index: int) -> None:
        for field in ("content", "output", "summary"):
            parts = item.get(field) if is_object(item) else None
            for position, part in enumerate(parts if is_list(parts) else []):
                self.remember(part, f"input[{index}].{field}[{position}]")

    @property
    def items(self) -> list[Any]:
        """The items, empty when ``input`` is no list."""
        given = self.body.get("input")
        return given if is_list(given) else []

    @property
    def tools(self) -> list[Any]:
        """The tools, empty when ``tools`` is no list."""
        given = self.body.get("tools")
        return given if is_list(given) else []

    def remember(self, thing: Any, path: str) -> None:
        """Note where *thing* stood in the body as given. Only objects can be remembered."""
        if is_object(thing):
            self._origins[id(thing)] = path
            self._seen.append(thing)

    def origin(self, thing: Any, fallback: str) -> str:
        """Where *thing* stood in the body as given."""
        return self._origins.get(id(thing), fallback)

    def note(self, rule: str, path: str, action: Action, message: str) -> None:
        """Report a change."""
        self.changes.append(Change(rule, path, action, message))

    def gone(self, thing: Any) -> bool:
        """Whether *thing* was removed in this round."""
        return id(thing) in self._gone

    def leave(self, thing: Any) -> None:
        """Take *thing* out of its place; that it moves is reported by who moves it."""
        self._gone.add(id(thing))
        self._seen.append(thing)

    def drop(self, thing: Any, rule: str, path: str, message: str) -> None:
        """Take an item or a tool out, and report it."""
        self.leave(thing)
        self.note(rule, self.origin(thing, path), "removed", message)

    def replace(self, thing: Any, new: list[Any], rule: str, path: str, message: str) -> None:
        """Put other items in the place of one, and report it. An item that only moves stays as it is."""
        place = self.origin(thing, path)
        self.leave(thing)
        for item in new:
            self.remember(item, place)
        self._behind.setdefault(id(thing), []).extend(new)
        self.note(rule, place, "changed", message)

    def insert_behind(self, thing: Any, new: Any) -> None:
        """Put an item behind *thing* at the end of the round."""
        self._seen.append(thing)
        self._behind.setdefault(id(thing), []).append(new)

    def remove_item(self, item: Any, rule: str, path: str, why: str) -> None:
        """Take an item out; its text stays as a message."""
        kept = kept_message(item)
        if kept is None:
            self.drop(item, rule, path, f"{why}; nothing said by a user or a tool was in it")
        else:
            self.replace(item, [kept], rule, path, f"{why}; its content stays as a message of role {kept['role']}")

    def settle(self) -> None:
        """Carry out removals and insertions."""
        if not self._gone and not self._behind:
            return
        for key in ("input", "tools"):
            things = self.body.get(key)
            if is_list(things):
                self.body[key] = self._settled_list(things)
        if self.body.get("tools") == []:
            del self.body["tools"]
        self._gone.clear()
        self._behind.clear()

    def _settled_list(self, things: list[Any]) -> list[Any]:
        settled = [new for thing in things for new in self._settled(thing)]
        for thing in settled:
            # tools stand in items and in namespaces as well
            if is_object(thing) and is_list(thing.get("tools")):
                thing["tools"] = self._settled_list(thing["tools"])
        return settled

    def _settled(self, thing: Any) -> list[Any]:
        kept = [] if id(thing) in self._gone else [thing]
        return [*kept, *self._behind.get(id(thing), [])]

    def roles(self) -> list[str]:
        """How every item stands in the history."""
        return [role_of(item, type_of(item)) if is_object(item) else "neutral" for item in self.items]
