"""Endpoint profiles as the checker reads them: lookup by name, and what a profile does to the severity of a rule."""

from __future__ import annotations

from seamwright.check.violation import Severity
from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.model.endpoints import ENDPOINTS, EndpointProfile


def endpoint_profile(endpoint: str | EndpointProfile) -> EndpointProfile:
    """The profile of that name, or the record itself.

    Raises ``InvalidStateError`` (a ``ValueError``) for an unknown name, with the nearest known one.
    """
    if isinstance(endpoint, EndpointProfile):
        return endpoint
    profile = ENDPOINTS.get(endpoint)
    if profile is None:
        known = ", ".join(ENDPOINTS)
        problem = f"unknown endpoint {endpoint!r}{nearest(str(endpoint), ENDPOINTS)}; known: {known}"
        raise InvalidStateError([Fault("endpoint", problem)])
    return profile


def severity_at(profile: EndpointProfile, rule: str, severity: Severity) -> Severity:
    """*severity* of a finding of *rule*, as this endpoint takes it."""
    if rule in profile.tolerates:
        return "warning"
    return "error" if rule in profile.refuses else severity


def stateless(profile: EndpointProfile, store: object) -> bool:
    """True when the server keeps no items: ``store`` is false, or the endpoint takes no ids at all."""
    return store is False or profile.ids == "never"
