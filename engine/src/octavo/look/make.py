"""Make a site's look. A site that asks for none of its parts does not even import what makes them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from octavo.config import Config
from octavo.look.look import Look
from octavo.runtime import Cache


def make_look(config: Config, settings_text: str, site_dir: Path, cache: Cache | None = None) -> Look:
    """Make the look of a site.

    Args:
        config: Its settings.
        settings_text: The text of `octavo.toml`, in which problems are located.
        site_dir: The site's folder.
        cache: What earlier builds have found out about style sheets; None reads them.
    """
    look = Look()
    if config.theme.is_given:
        from octavo.look.derive import derive_look

        look = derive_look(config, settings_text)
    if not (config.styles or config.scripts or config.head):
        return look
    from octavo.look.head import write_head, write_styles

    look = msgspec.structs.replace(
        look, styles=[*look.styles, *write_styles(config, site_dir)], head=write_head(config, site_dir)
    )
    if not (config.styles or any(tag.tag == "style" for tag in config.head)):
        return look
    from octavo.look.sheets import read_sheets

    sheets = read_sheets(config, settings_text, site_dir, cache)
    return msgspec.structs.replace(look, problems=[*look.problems, *sheets.problems], needs=sheets.needs)
