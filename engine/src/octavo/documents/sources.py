"""Gather the sources of a site: its Markdown files, and the pages that are made of data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.config import Config
from octavo.diagnostics import Diagnostic
from octavo.documents.api_pages import Descriptions, add_api_pages, console_servers
from octavo.documents.blog_pages import add_blog_pages
from octavo.documents.change_pages import ChangeReader
from octavo.documents.command_pages import add_command_pages
from octavo.documents.extension_pages import add_extension_pages
from octavo.documents.stubs import report_stubs
from octavo.runtime import open_cache
from octavo.site import Source, find_sources

if TYPE_CHECKING:
    from octavo.extending import SiteExtensions


class SiteSources(msgspec.Struct, frozen=True, eq=False):
    """All sources of a site, with what those made of data are made of."""

    written: list[Source]
    """The Markdown files."""
    made: list[Source]
    """Pages made from data, in order; none where the site has a Markdown file."""
    descriptions: Descriptions
    console_servers: list[str] | None
    """Servers that API consoles offer; None where no page has a console."""
    problems: list[Diagnostic]
    """What is wrong with the data, but for blogs."""
    blog_problems: list[Diagnostic]
    """What is wrong with blogs."""

    @property
    def all(self) -> list[Source]:
        """The Markdown files and then the others."""
        return [*self.written, *self.made]

    def with_blogs_of_now(self, site_dir: Path, config: Config) -> SiteSources:
        """Make the pages of blogs again, from what the posts say now, and share all the rest."""
        others = [source for source in self.made if source.maker != "blog"]
        # Those of extensions come last: they make way for all others.
        earlier = [source for source in others if source.maker != "extension"]
        found, problems = add_blog_pages([*self.written, *earlier], site_dir, config)
        made = [*found[len(self.written) :], *(source for source in others if source.maker == "extension")]
        return msgspec.structs.replace(self, made=made, blog_problems=problems)


def gather_sources(
    site_dir: Path, config: Config, work_dir: Path, extensions: SiteExtensions | None = None
) -> SiteSources:
    """Gather the sources of a site.

    Args:
        site_dir: The site's folder.
        config: Its configuration.
        work_dir: Holds the last good copies of API descriptions that are fetched, and what earlier builds have made of data.
        extensions: Extensions of the site.
    """
    written = find_sources(site_dir, config)
    reader = ChangeReader(site_dir, config, work_dir)
    sources, command_problems = add_command_pages(written, site_dir, config, reader, open_cache(work_dir))
    sources, descriptions, api_problems = add_api_pages(sources, site_dir, config, work_dir, reader)
    sources, blog_problems = add_blog_pages(sources, site_dir, config)
    sources, extension_problems = add_extension_pages(sources, config, extensions)
    return SiteSources(
        written=written,
        made=sources[len(written) :],
        descriptions=descriptions,
        console_servers=_console_servers(config, descriptions),
        problems=[
            *command_problems,
            *api_problems,
            *reader.problems,
            *extension_problems,
            *report_stubs(site_dir / config.components, site_dir),
        ],
        blog_problems=blog_problems,
    )


def _console_servers(config: Config, descriptions: Descriptions) -> list[str] | None:
    if not any(api.console for api in config.openapi):
        return None
    return console_servers(descriptions)
