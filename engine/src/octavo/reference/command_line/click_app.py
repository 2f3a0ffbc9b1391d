"""A click or typer application → `Command`s.

Nothing of click is imported: typer carries a click of its own, and what both share are names of attributes.
"""

from __future__ import annotations

import enum
import inspect
import os
from collections.abc import Iterator
from typing import Any

from octavo.errors import UsageError
from octavo.reference.command_line.model import NAME, OPTION_NAME, Argument, Command, Option


def read_application(application: Any, *, name: str | None = None) -> list[Command]:
    """Read all commands of an application that are not hidden.

    Args:
        application: A click command or group, or a `typer.Typer`.
        name: Name of the program; by default the one that the application gives itself.

    Raises:
        UsageError: it is neither.
    """
    root = _root(application)
    name = name or root.name
    if not name or not NAME.fullmatch(name):
        raise UsageError("The application does not say what its program is called; give the name with --name.")
    return list(_walk(root, name, None))


def _root(application: Any) -> Any:
    if hasattr(application, "registered_commands") and hasattr(application, "registered_groups"):
        from typer.main import get_command

        return get_command(application)
    if callable(getattr(application, "get_params", None)) and callable(getattr(application, "make_context", None)):
        return application
    raise UsageError(f"{application!r} is neither a click command nor a typer application.")


def _walk(command: Any, name: str, parent: Any) -> Iterator[Command]:
    settings = command.context_settings
    context = command.context_class(command, info_name=name.rpartition(" ")[2], parent=parent, **settings)
    yield _command(command, name, context)
    for word in command.list_commands(context) if hasattr(command, "list_commands") else ():
        child = command.get_command(context, word)
        if child is not None and not child.hidden:
            yield from _walk(child, f"{name} {word}", context)


def _command(command: Any, name: str, context: Any) -> Command:
    params = command.get_params(context)
    text = inspect.cleandoc(command.help or "").partition("\f")[0].replace("\b\n", "").strip()
    synopsis = " ".join(text.split("\n\n")[0].split())
    pieces = command.collect_usage_pieces(context)
    return Command(
        name=name,
        synopsis=command.short_help or synopsis,
        description=f"{text}\n" if text not in ("", command.short_help or synopsis) else "",
        usage=" ".join([name, *pieces]),
        arguments=[_argument(param) for param in params if param.param_type_name == "argument"],
        options=[
            option
            for param in params
            if param.param_type_name == "option" and not param.hidden and (option := _option(param, context))
        ],
        notes=[f"**Deprecated.** {command.deprecated if isinstance(command.deprecated, str) else ''}".strip()]
        if command.deprecated
        else [],
    )


def _argument(param: Any) -> Argument:
    name = str(param.metavar or param.human_readable_name)
    return Argument(
        name=f"{name}..." if param.nargs != 1 and not name.endswith("...") else name,
        usage=getattr(param, "help", None) or "",
        required=bool(param.required),
    )


def _option(param: Any, context: Any) -> Option | None:
    names = [opt.lstrip("-/") for opt in [*param.opts, *param.secondary_opts]]
    names = [name for name in names if OPTION_NAME.fullmatch(name)]
    if not names:
        return None
    long = next((name for name in names if len(name) > 1), names[0])
    choices = [str(getattr(one, "value", one)) for one in getattr(param.type, "choices", None) or ()]
    usage = " ".join((param.help or "").split())
    if param.secondary_opts:
        off = ", ".join(f"`{opt}`" for opt in param.secondary_opts)
        usage = f"{usage.rstrip('.')}. Off: {off}.".removeprefix(". ")
    return Option(
        name=long,
        shorthand=next((name for name in names if len(name) == 1 and name != long), ""),
        type="bool" if param.is_flag or param.count else "" if choices else str(param.type.name),
        default_value=_default(param, context),
        usage=usage,
        allowed=choices,
        required=bool(param.required),
        deprecated=(param.deprecated if isinstance(param.deprecated, str) else "Do not use it any more.")
        if getattr(param, "deprecated", False)
        else "",
    )


def _default(param: Any, context: Any) -> str:
    """Give a default as it would be typed; what is worked out when the program runs has none."""
    value = param.get_default(context, call=False)
    many = value if isinstance(value, list | tuple) else [value]
    texts = [_text(one) for one in many]
    return ",".join(text for text in texts if text is not None)


def _text(value: object) -> str | None:
    value = value.value if isinstance(value, enum.Enum) and isinstance(value.value, str | int | float) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float | os.PathLike) else None
