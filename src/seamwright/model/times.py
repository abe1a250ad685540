"""Zone-aware times: read from files, shown in UTC with milliseconds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

import orjson

from seamwright.model.spelling import shown

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EXAMPLE: Final = "2026-01-01T12:00:00.000Z"


def parse_time(value: object) -> datetime:
    """A time of a state file: ISO 8601 with a zone, or epoch milliseconds. Raises ValueError saying what is wrong."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _of_milliseconds(value)
    if not isinstance(value, str):
        raise ValueError(f"{shown(value)} is neither ISO 8601 with a zone nor epoch milliseconds")
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"{shown(value)} is not ISO 8601 ({_EXAMPLE})") from None
    if time.utcoffset() is None:
        remedy = f"give a time with one ({_EXAMPLE})" if _is_day(value) else "add one, for example 'Z'"
        raise ValueError(f"{shown(value)} has no zone; {remedy}")
    return time


def _is_day(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _of_milliseconds(value: float) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except (OverflowError, ValueError):  # beyond the years that Python counts, or NaN
        raise ValueError(f"{shown(value)} is no time in epoch milliseconds") from None


def show_time(value: datetime) -> str:
    """UTC with milliseconds, cut and not rounded: ``2026-01-01T12:00:00.000Z``."""
    if value.tzinfo is not UTC:
        value = value.astimezone(UTC)
    # isoformat() asks the zone, twice as slow; this is a part of every message
    seconds = orjson.dumps(value, option=orjson.OPT_OMIT_MICROSECONDS)[1:20].decode()
    return f"{seconds}.{value.microsecond // 1000:03}Z"


def dump_time(value: datetime) -> str:
    """The whole time in UTC, for the state file: milliseconds, or microseconds where it has them."""
    value = value.astimezone(UTC)
    spec = "microseconds" if value.microsecond % 1000 else "milliseconds"
    return value.isoformat(timespec=spec)[:-6] + "Z"
