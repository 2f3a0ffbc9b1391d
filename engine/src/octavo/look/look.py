"""`Look`: what a site adds to the theme's look, and what is wrong with it."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import msgspec

from octavo.config import CONFIG_NAME, CodeTheme, Config, Fonts, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.look.code_theme import code_rules
from octavo.look.colors import READABLE
from octavo.look.fonts import Preload, font_rules, preloads
from octavo.look.hashes import short_hash
from octavo.look.head import write_head, write_styles
from octavo.look.palette import Weak, derive_palette
from octavo.look.presets import with_preset
from octavo.look.stylesheet import write_stylesheet


class Look(msgspec.Struct, frozen=True):
    """What a site adds to the theme's look. Empty where its settings ask for nothing."""

    files: dict[str, bytes] = {}
    """Address in the published folder → content."""
    styles: list[str] = []
    """Addresses of style sheets as pages name them, in the order of the cascade."""
    head: list[str] = []
    """More elements for the head, each as one line of HTML."""
    preloads: list[Preload] | None = None
    """Font files that pages fetch ahead; None: those of the theme."""
    problems: list[Diagnostic] = []

    @property
    def html(self) -> str:
        """All elements for the head, style sheets first."""
        # The mark is for `octavo dev`, which exchanges these sheets on open pages.
        links = [f'<link rel="stylesheet" href="{html.escape(style)}" data-site>' for style in self.styles]
        return "\n".join([*links, *self.head])


def make_look(config: Config, settings_text: str, site_dir: Path) -> Look:
    """Make the look of a site.

    Args:
        config: Its settings.
        settings_text: The text of `octavo.toml`, in which problems are located.
        site_dir: The site's folder.
    """
    derived = _derive(config, settings_text) if config.theme.is_given else Look()
    return msgspec.structs.replace(
        derived, styles=[*derived.styles, *write_styles(config, site_dir)], head=write_head(config, site_dir)
    )


def _derive(config: Config, settings_text: str) -> Look:
    """Make what the settings of the theme come to."""
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
        line = line_of_text(text, one.value)
        ratio = f"{one.contrast:.1f}:1 to its ground {one.ground}; text needs {READABLE}:1"
        if one.color:
            message = f'{one.setting}: the style "{one.value}" has "{one.color}", with a contrast of {ratio}.'
            hint = f'The nearest color that passes is "{one.nearest}"; raises_contrast = true in [theme.code] takes it.'
        else:
            message = f'{one.setting} is "{one.value}", with a contrast of {ratio}.'
            hint = f'The nearest color that passes is "{one.nearest}".'
        yield Diagnostic("contrast", "warn", Span(CONFIG_NAME, line), message, hint)
