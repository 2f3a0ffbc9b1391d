"""What a site gets that sets nothing: a default that changes is a change that somebody must have meant."""

from __future__ import annotations

import typing
from collections.abc import Iterator

import msgspec
import pytest

from octavo.config import Config, HeadTag, parse_config
from octavo.errors import ConfigError

SWITCHED_ON = {
    "Analytics.anonymize_ip",
    "Analytics.honors_do_not_track",
    "Announcement.is_closeable",
    "Announcement.is_enabled",
    "ApiReference.console",
    "Blog.has_feed",
    "ColorMode.has_switch",
    "ColorMode.respect_system",
    "Programs.copy_button",
    "Programs.lists",
    "Programs.markdown",
    "Routing.folder_name_is_index",
    "Search.is_enabled",
    "SidebarEntry.is_collapsible",
}
"""All other switches are off: nothing is sent to others, asked of readers or loaded that a site has not asked for."""

NUMBERS = {
    "ApiReference.timeout_s": 10.0,
    "Blog.posts_per_page": 20,
    "Blog.words_per_minute": 0,
    "Config.extension_memory_mb": 4096,
    "Config.extension_timeout_s": 10.0,
    "Images.quality": 80,
    "Insights.least_count": 3,
    "Insights.retention_days": 90,
    "MarkdownFolder.files_above": 0,
    "Programs.full_text_size": 1_000_000,
    "Search.most_offline_megabytes": 40,
    "Search.most_per_second": 300,
    "Search.results_per_group": 5,
    "SearchEngine.timeout_seconds": 3.0,
    "VersionsFrom.most": 0,
    "VersionsFrom.supported": 0,
}


def tables(kind: object, seen: dict[type[msgspec.Struct], None]) -> dict[type[msgspec.Struct], None]:
    """Collect the tables of settings below a type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind not in seen:
            seen[kind] = None
            for field in msgspec.structs.fields(kind):
                tables(field.type, seen)
        return seen
    for part in typing.get_args(kind):
        tables(part, seen)
    return seen


def defaults() -> Iterator[tuple[str, object]]:
    """Give (table and field, default) of all settings."""
    for table in tables(Config, {}):
        yield from ((f"{table.__name__}.{field.name}", field.default) for field in msgspec.structs.fields(table))


def test_switches_that_are_on_by_default_are_these() -> None:
    assert {name for name, default in defaults() if default is True} == SWITCHED_ON


def test_there_are_switches_that_are_off() -> None:
    assert {"Feedback.is_enabled", "ThemeSettings.has_transitions"} <= {
        name for name, default in defaults() if default is False
    }


def test_numbers_by_default_are_these() -> None:
    numbers = {name: default for name, default in defaults() if type(default) in (int, float)}
    assert numbers == NUMBERS


def ground_of(mode: str, color: str) -> Config:
    return parse_config(f'title = "Clay"\n[theme]\nground = {{ {mode} = "{color}" }}\n')


@pytest.mark.parametrize(("mode", "color"), [("light", "#aaaaaf"), ("dark", "#5a5a55")])
def test_last_colors_of_a_ground_are_taken(mode: str, color: str) -> None:
    assert ground_of(mode, color).theme.ground is not None


@pytest.mark.parametrize(("mode", "color"), [("light", "#aaaaa5"), ("dark", "#5a5a5f")])
def test_first_colors_that_are_no_ground_are_mistakes(mode: str, color: str) -> None:
    with pytest.raises(ConfigError, match=f"expected a {mode} color"):
        ground_of(mode, color)


@pytest.mark.parametrize(
    ("attributes", "file"),
    [
        ({"rel": "icon", "href": "/img/a.svg"}, "/img/a.svg"),
        ({"rel": "alternate ICON", "href": "/img/a.svg"}, "/img/a.svg"),
        ({"rel": "icon", "href": "https://a.example/a.svg"}, None),
        ({"rel": "icon", "href": "//a.example/a.svg"}, None),
        ({"rel": "author", "href": "/about"}, None),
        ({"rel": "icon"}, None),
    ],
)
def test_link_of_the_head_names_a_file_of_the_static_folder(attributes: dict[str, str], file: str | None) -> None:
    assert HeadTag(tag="link", attributes=attributes).file == file


def test_other_tags_of_the_head_name_no_file() -> None:
    assert HeadTag(tag="meta", attributes={"rel": "icon", "href": "/img/a.svg"}).file is None
