"""Links of the old site's frame: places of the project elsewhere, topics of the sidebar, and what plug-ins give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.importing import import_site
from tests.support.each import each

from .sites import labels, write

_ASTRO = (
    "import starlight from '@astrojs/starlight';\nimport topics from 'starlight-sidebar-topics';\n"
    "export default { integrations: [starlight({ title: 'Kite', %s })] };\n"
)
_PLACES = "{ icon: 'discord', %s: 'https://kite.example/chat' }, { icon: 'mastodon', %s: 'https://sky.example/@kite' }, { icon: 'x', %s: 'https://x.com/kite' }"


def _links(settings: dict[str, Any]) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    bar = [(one["label"], one["href"], one.get("icon", "")) for one in settings["navbar"].get("items", [])]
    columns = settings.get("footer", {}).get("columns", [])
    return bar, [(one["label"], one["href"]) for column in columns for one in column["items"]]


@each(
    "files",
    [
        {
            "astro.config.mjs": _ASTRO % f"social: [{_PLACES % (('href',) * 3)}]",
            "src/content/docs/index.md": "# Kite\n",
        },
        {
            "astro.config.mjs": _ASTRO
            % "social: { discord: 'https://kite.example/chat', mastodon: 'https://sky.example/@kite', x: 'https://x.com/kite' }",
            "src/content/docs/index.md": "# Kite\n",
        },
        {
            ".vitepress/config.mts": f"export default {{ title: 'Kite', themeConfig: {{ socialLinks: [{_PLACES % (('link',) * 3)}] }} }};",
            "index.md": "# Kite\n",
        },
        {
            "rspress.config.ts": f"export default {{ title: 'Kite', themeConfig: {{ socialLinks: [{_PLACES % (('content',) * 3)}] }} }};",
            "docs/index.md": "# Kite\n",
        },
        {
            "vocs.config.ts": f"export default {{ title: 'Kite', socials: [{_PLACES % (('link',) * 3)}] }};",
            "docs/pages/index.md": "# Kite\n",
        },
        {
            "mkdocs.yml": "site_name: Kite\nextra:\n  social:\n    - {icon: fontawesome/brands/discord, link: 'https://kite.example/chat'}\n"
            "    - {icon: simple/mastodon, link: 'https://sky.example/@kite'}\n    - {icon: simple/x, link: 'https://x.com/kite'}\n",
            "docs/index.md": "# Kite\n",
        },
        {
            ".config/docs.yaml": "name: Kite\nsocials:\n  discord: https://kite.example/chat\n  mastodon: https://sky.example/@kite\n  x: https://x.com/kite\n",
            "package.json": '{"devDependencies": {"undocs": "1"}}',
            "index.md": "# Kite\n",
        },
    ],
)
def test_places_elsewhere_are_linked_whatever_their_host(files: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, files)
    bar, footer = _links(import_site(tmp_path, force=True).plan.settings)
    assert bar == [("Discord", "https://kite.example/chat", "discord")]
    assert footer == [("Mastodon", "https://sky.example/@kite"), ("X", "https://x.com/kite")]
    for path in files:
        (tmp_path / path).unlink()


def test_a_label_of_the_author_names_a_place(tmp_path: Path) -> None:
    social = "social: [{ icon: 'zulip', label: 'Talk to us', href: 'https://talk.example' }, { icon: 'rss', label: '', href: '/rss.xml' }]"
    write(tmp_path, {"astro.config.mjs": _ASTRO % social, "src/content/docs/index.md": "# Kite\n"})
    assert _links(import_site(tmp_path).plan.settings) == (
        [],
        [("Talk to us", "https://talk.example"), ("RSS", "/rss.xml")],
    )


def test_topics_of_a_sidebar_have_a_sidebar_each(tmp_path: Path) -> None:
    plugins = (
        "plugins: [topics([{ label: 'Flying', id: 'fly', link: '/fly/start', items: ["
        "{ label: 'Basics', autogenerate: { directory: 'fly' } }] },"
        "{ label: { en: 'Making', de: 'Bauen' }, link: '/make/', items: ['make/knots'] }, { label: 'Shop', link: 'https://shop.example' }])]"
    )
    write(
        tmp_path,
        {
            "astro.config.mjs": _ASTRO % plugins,
            "src/content/docs/index.md": "# Kite\n",
            "src/content/docs/404.md": "---\ntitle: Lost\n---\n",
            **{f"src/content/docs/{name}.md": f"---\ntitle: {name}\n---\n" for name in ("fly/start", "fly/land", "make/index", "make/knots")},
        },
    )  # fmt: skip
    done = import_site(tmp_path)
    found = {one["id"]: labels(one["items"]) for one in done.plan.settings["sidebars"]}
    assert found == {"fly": ["Basics", "fly/land", "fly/start"], "making": ["make/index", "make/knots"]}
    assert done.plan.settings["navbar"]["items"] == [
        {"label": "Flying", "sidebar": "fly"},
        {"label": "Making", "sidebar": "making"},
        {"label": "Shop", "href": "https://shop.example"},
    ]
    assert not [one for one in done.report.notes if one.what == "Plug-ins of Starlight"]
    [note] = [one for one in done.report.notes if one.what.startswith("The page that readers see at addresses")]
    assert note.files == ["src/content/docs/404.md"]


def test_plugins_of_docsify_do_not_hide_its_settings(tmp_path: Path) -> None:
    page = (
        "<script>window.$docsify = { name: 'Kite', repo: 'kite/kite', plugins: [Wind.create('a', 1), new Rain()],"
        " loadSidebar: true }</script>"
    )
    write(tmp_path, {"index.html": page, "README.md": "# Kite\n", "_sidebar.md": "* [Kite](README.md)\n"})
    done = import_site(tmp_path)
    assert done.plan.settings["title"] == "Kite"
    assert done.plan.settings["navbar"]["items"][0]["href"] == "https://github.com/kite/kite"
    assert not [one for one in done.report.notes if "could not be read" in one.what]
