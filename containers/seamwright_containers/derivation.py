"""Containers made from another one, class from class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dependency_injector import containers, providers

C = TypeVar("C", bound=type[containers.DeclarativeContainer])


def deriving(base: type[containers.DeclarativeContainer]) -> Callable[[C], C]:
    """A class decorator: what the class declares anew reaches what *base* made from the same name.

    Plain subclassing leaves the base's recipes as they are, with the base's own seams in them, and the framework's
    ``copy`` puts two providers of one name into the class, so that what is replaced on an instance reaches only some
    of its dependents. Here the class gets copies of the base's providers in which each name means one provider: its
    own where it declares one. Neither the base nor later changes to it are touched.
    """

    def derive(cls: C) -> C:
        own: dict[str, Any] = dict(cls.cls_providers)
        known: dict[int, Any] = {id(provider): provider for provider in own.values()}
        known |= {id(given): own[name] for name, given in base.providers.items() if name in own}
        inherited = providers.deepcopy(dict(base.providers), known)  # adds its copies to what is known
        for provider in own.values():
            if isinstance(provider, (providers.Singleton, providers.ThreadSafeSingleton, providers.Factory)):
                provider.set_kwargs(**providers.deepcopy(dict(provider.kwargs), known))
        for name, provider in inherited.items():
            setattr(cls, name, provider)
        return cls

    return derive
