"""The search engine that a command uses: from the settings, the command line and the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.unfit import plain_mistake

if TYPE_CHECKING:
    from octavo.config import SearchEngine
    from octavo.search import EngineSettings


def given_engine(
    settings: SearchEngine,
    *,
    kind: str | None = None,
    url: str | None = None,
    key: str = "",
    timeout_s: float | None = None,
) -> EngineSettings | None:
    """Say which engine is meant; None for the embedded one.

    Args:
        settings: `[search.engine]` of octavo.toml.
        kind: What the command line says instead.
        url: The same.
        key: From the environment.
        timeout_s: In place of that of the settings.

    Raises:
        UsageError: it cannot be used.
    """
    import msgspec

    from octavo.config import SearchEngine, check_search_engine
    from octavo.search import EngineSettings

    given = {"kind": kind or settings.kind, "url": settings.url, "timeout_seconds": settings.timeout_seconds}
    if given["kind"] == "embedded":
        return None
    if url:
        given["url"] = url
    try:
        wanted = msgspec.convert(given, SearchEngine)
    except msgspec.ValidationError as error:
        raise UsageError(f"The search engine cannot be used: {plain_mistake(error)}.") from error
    for _, _, message in check_search_engine(wanted):
        raise UsageError(message)
    if wanted.kind == "embedded":  # for the types: it is none
        return None
    return EngineSettings(wanted.kind, wanted.url.rstrip("/"), key, timeout_s or wanted.timeout_seconds)


def check_engine(engine: EngineSettings) -> None:
    """Check before a server starts that the package of its engine is installed; the engine itself may start later.

    Raises:
        UsageError: it is not.
    """
    from octavo.search import open_remote

    open_remote(engine, "docs")
