"""Files that directives name."""

from __future__ import annotations

from typing import Any

from octavo.extensions import Directive


def read_named(block: Directive[Any], extension: str) -> str | None:
    """Read the file that a directive names in brackets; one that cannot be read is reported there, and None is given.

    Args:
        block: The directive.
        extension: Name of the extension, whose option `files` names files outside the site's folder.
    """
    path = block.label
    try:
        return block.inputs.read_text(path)
    except FileNotFoundError:
        message, hint = f'There is no file "{path}".', "Write its path from the site's folder."
    except PermissionError:
        message = f'"{path}" lies outside the site\'s folder.'
        hint = f"Name it in files of [extension_options.{extension}]."
    except UnicodeDecodeError:
        message, hint = f'"{path}" is not UTF-8.', "Save it as UTF-8."
    except OSError as error:
        message, hint = f'"{path}" cannot be read: {error.strerror or error}.', "Name a file."
    block.inputs.report(message, block.page, block.line, level="error", suggestion=hint)
    return None
