"""What the settings of `[theme]` come to: one style sheet, fonts, and colors that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.colors import READABLE
from octavo.config import CONFIG_NAME, CodeTheme, Config, Fonts, line_of_key, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.look.code_theme import code_rules
from octavo.look.fonts import font_rules, preloads
from octavo.look.hashes import short_hash
from octavo.look.look import Look
from octavo.look.palette import Weak, derive_palette
from octavo.look.presets import with_preset
from octavo.look.stylesheet import write_stylesheet


def derive_look(config: Config, settings_text: str) -> Look:
    """Make the look that a site's settings of the theme ask for.

    Args:
        config: Its settings.
        settings_text: The text of `octavo.toml`, in which problems are located.
    """
    theme = with_preset(config.theme)
    palette = derive_palette(theme)
    fonts = theme.fonts if isinstance(theme.fonts, Fonts) else None
    has_code = theme.code is not None and (theme.code.light or theme.code.dark)
    code = code_rules(theme.code or CodeTheme(), palette.colors) if has_code else None
    sheet = write_stylesheet(theme, palette.colors, font_rules(fonts) if fonts else ({}, []), code)
    weak = [*palette.weak, *(code.weak if code else [])]
    if not sheet:
        return Look(problems=list(_problems(weak, settings_text)))
    content = sheet.encode()
    address = f"_octavo/assets/look-{short_hash(content)}.css"
    return Look(
        files={address: content},
        styles=[config.base_url + address],
        preloads=preloads(fonts) if fonts else None,
        problems=list(_problems(weak, settings_text)),
    )


def _problems(weak: list[Weak], text: str) -> Iterator[Diagnostic]:
    for one in weak:
        # A color may be written in another form there: `teal`, `oklch(…)`.
        table, key, *_ = one.setting.split(".")
        line = line_of_text(text, one.value) if one.value in text else line_of_key(text, key, [table])
        ratio = f"{one.contrast:.1f}:1 to its ground {one.ground}; text needs {READABLE}:1"
        if one.color:
            message = f'{one.setting}: the style "{one.value}" has "{one.color}", with a contrast of {ratio}.'
            hint = f'The nearest color that passes is "{one.nearest}"; raises_contrast = true in [theme.code] takes it.'
        else:
            message = f'{one.setting} is "{one.value}", with a contrast of {ratio}.'
            hint = f'The nearest color that passes is "{one.nearest}".'
        yield Diagnostic("contrast", "warn", Span(CONFIG_NAME, line), message, hint)
