"""`translate`: all translators of a dialect, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.translate.hugo import translate_hugo
from octavo.content.translate.myst import translate_myst

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment


def translate(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite what a fragment has of other engines' syntax, by the extensions of its dialect."""
    extensions = fragment.source.dialect.extensions
    if "hugo" in extensions:
        fragment = translate_hugo(fragment, context)
    return translate_myst(fragment, context) if "myst" in extensions else fragment
