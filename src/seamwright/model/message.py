"""What somebody said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import attrs

from seamwright.model.checks import (
    AWARE,
    FLAG,
    JSON_OBJECTS,
    OPTIONAL_TEXT,
    TEXT,
    TOKENIZABLE,
    as_tuple,
    fault_of,
    frozen_mappings,
    instance_of,
    one_of,
    tuple_of,
)
from seamwright.model.identity import Identity, as_identity
from seamwright.model.media import Media
from seamwright.model.origin import ResponseOrigin
from seamwright.model.text import Tokenizable

Role = Literal["user", "assistant"]


def _role_identity(message: Any) -> Identity:
    role = str(message.role)
    return Identity(identifier=role, representation=role)


@attrs.frozen(kw_only=True)
class Message:
    """A message of a user, of the agent itself or of a peer agent (role ``assistant``, another identity).

    ``refusal`` is the text of a model's refusal, ``phase`` and ``annotations`` the provider's own, ``incomplete`` says
    that the provider cut it short.
    """

    id: str = attrs.field(validator=TEXT)
    role: Role = attrs.field(validator=one_of("user", "assistant"))
    content: Tokenizable | None = attrs.field(default=None, validator=TOKENIZABLE.or_none())
    created_at: datetime = attrs.field(validator=AWARE)
    identity: Identity = attrs.field(
        default=attrs.Factory(_role_identity, takes_self=True),
        converter=as_identity,
        validator=instance_of(Identity, "an identity"),
    )
    attachments: tuple[Media, ...] = attrs.field(default=(), converter=as_tuple, validator=tuple_of(Media, "a media"))
    refusal: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    phase: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    annotations: tuple[Mapping[str, Any], ...] = attrs.field(
        default=(), converter=frozen_mappings, validator=JSON_OBJECTS
    )
    incomplete: bool = attrs.field(default=False, validator=FLAG)
    origin: ResponseOrigin | None = attrs.field(
        default=None, validator=instance_of(ResponseOrigin, "a response origin").or_none()
    )

    def __attrs_post_init__(self) -> None:
        if not (self.content or self.refusal or self.attachments):
            raise fault_of(Message, "content", "a message needs content, a refusal or an attachment")
