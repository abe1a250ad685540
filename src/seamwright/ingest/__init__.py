"""Responses taken in: plain or streamed, whole or refused."""

from __future__ import annotations

from seamwright.ingest.ingested import Finish, Ingested, InputTransformation, Usage
from seamwright.ingest.rejection import classify_rejection, is_replay_refusal

__all__ = ["Finish", "Ingested", "InputTransformation", "Usage", "classify_rejection", "is_replay_refusal"]
