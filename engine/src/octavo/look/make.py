"""Make a site's look. A site that asks for none of its parts does not even import what makes them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from octavo.config import Config
from octavo.look.look import Look


def make_look(config: Config, settings_text: str, site_dir: Path) -> Look:
    """Make the look of a site.

    Args:
        config: Its settings.
        settings_text: The text of `octavo.toml`, in which problems are located.
        site_dir: The site's folder.
    """
    look = Look()
    if config.theme.is_given:
        from octavo.look.derive import derive_look

        look = derive_look(config, settings_text)
    if not (config.styles or config.scripts or config.head):
        return look
    from octavo.look.head import write_head, write_styles

    return msgspec.structs.replace(
        look, styles=[*look.styles, *write_styles(config, site_dir)], head=write_head(config, site_dir)
    )
