"""What container classes have in common, and classes made from another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from dependency_injector import containers, providers

from seamwright.errors import WiringError
from seamwright.shapes import reject_unknown

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


class Blueprint(containers.DeclarativeContainer):
    """What the containers of this package have in common: keywords that name a provider, and names a checker knows."""

    if TYPE_CHECKING:
        # The framework's types let every name pass for a provider, so a misspelt one would be taken for a seam.
        __getattr__: None  # type: ignore[assignment, misc]  # both checkers then know the names a container declares alone

    def __new__(cls, **replaced: Any) -> Self:
        """An instance. A keyword is the name of a provider and replaces it.

        Raises :class:`WiringError` for another keyword, and for a subclass that can't work.
        """
        _check_instance(cls, replaced)
        return super().__new__(cls, **replaced)


def _check_instance(cls: type[containers.DeclarativeContainer], replaced: Iterable[str]) -> None:
    """Looks at a container class, and at the keywords it is called with, before an instance of it is made.

    Raises :class:`WiringError` for a keyword that names no provider, with the nearest that does; and for a class that
    declares anew what the recipes of its base use: the framework would leave them what the base declared, in silence.
    """
    reject_unknown(replaced, cls.providers)
    declared: dict[int, str] = {}
    for base in cls.__mro__:
        table: Mapping[str, Any] = getattr(base, "cls_providers", None) or {}
        declared |= {id(provider): name for name, provider in table.items()}
    for seam, provider in cls.providers.items():
        for injected in getattr(provider, "kwargs", {}).values():
            name = declared.get(id(injected))
            if name is not None and cls.providers[name] is not injected:
                raise WiringError(
                    f"{seam}: would still use the {name!r} of a base class, not that of {cls.__name__}; decorate"
                    f" {cls.__name__} with deriving(…), or swap and rewire on an instance of the base"
                )
