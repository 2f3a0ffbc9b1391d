"""A setting that has no effect is a finding at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.checks import find_idle_settings
from octavo.config import parse_config
from octavo.publish.static import read_static_folder
from octavo.site.sources import find_left_out

HEAD = 'title = "T"\nurl = "https://docs.example.org"\n'
FOLDERS = {".": ["docs", "static"], "docs": ["drafts", "a.md"], "docs/drafts": []}
# name → (settings, line of the finding from the first of them, part of its message)
IDLE = {
    "entry without a text": ('[[navbar.items]]\nhref = "/a"\n', 2, "no text"),
    "entry that leads nowhere": ('[[navbar.items]]\nlabel = "Guides"\n', 2, '"Guides" of the top bar leads nowhere'),
    "entry of a menu that leads nowhere": (
        '[[navbar.items]]\nlabel = "More"\nitems = [{ label = "B" }]\n',
        3,
        '"B" of the top bar leads nowhere',
    ),
    "column of the footer without entries": (
        '[[footer.columns]]\ntitle = "Help"\nitems = []\n',
        2,
        '"Help" of the footer',
    ),
    "entry of the footer without a text": (
        '[[footer.columns]]\ntitle = "Help"\nitems = [{ href = "/a" }]\n',
        3,
        "An entry of the footer has no text",
    ),
    "category without entries": (
        '[[sidebars]]\nid = "d"\nitems = [{ category = "Old", items = [] }]\n',
        3,
        '"Old" has no entries',
    ),
    "announcement without content": ('[[announcements]]\nid = "a"\ncontent = " "\n', 2, '"a" is empty'),
    "announcement in Markdown": (
        '[[announcements]]\nid = "a"\ncontent = "See [this](/a)."\n',
        2,
        '"[this](/a)" is shown as text',
    ),
    "redirect twice": (
        '[[redirects]]\nfrom = "/x"\nto = "/a"\n[[redirects]]\nfrom = "/x"\nto = "/b"\n',
        6,
        '"/x" leads to "/a" and to "/b"',
    ),
    "redirect of a query": ('[[redirects]]\nfrom = "/x?a=1"\nto = "/a"\n', 2, '"/x?a=1" is never asked for'),
    "mount without a folder": ('[mounts]\ncommunity = "/community"\n', 2, 'no folder "community"'),
    "folder of files that is not there": ('static = "assets"\n', 1, 'static: there is no folder "assets"'),
    "folder of components that is not there": ('components = "parts"\n', 1, 'components: there is no folder "parts"'),
    "macro of formulas without a backslash": (
        '[markdown.formula_macros]\n"RR" = "\\\\mathbb{R}"\n',
        2,
        '"RR" is not a name of a command',
    ),
    "macro of formulas with an open brace": (
        "[markdown.formula_macros]\n'\\R' = '\\mathbb{R'\n",
        2,
        "has a brace without its other end",
    ),
    "pattern with a slash in front": ('exclude = ["/docs/drafts/**"]\n', 1, '"/docs/drafts/**" matches no file'),
    "pattern of a folder with another name": ('exclude = ["docs/draft/**"]\n', 1, '"docs/draft/**" matches no file'),
    "options of an extension that is not there": ("[extension_options.kitt]\na = 1\n", 1, 'no extension "kitt"'),
    "synonym without a word": ('[search]\nsynonyms = { faq = ["?"] }\n', 2, '"?" has no words that search compares'),
    "synonym of its own form": ('[search.synonyms]\nkiln = ["kilns"]\n', 2, '"kiln" and "kilns" are forms of one word'),
    "word without synonyms": ("[search.synonyms]\nkiln = []\n", 2, "empty list of synonyms"),
    "directive of the policy mistyped": ('[content_policy]\n"script-scr" = ["\'self\'"]\n', 2, '"script-scr"'),
}


@pytest.mark.parametrize("name", IDLE)
def test_setting_without_effect_is_found_at_its_line(name: str) -> None:
    settings, line, message = IDLE[name]
    text = HEAD + settings
    config = parse_config(text)
    found = list(find_idle_settings(config, text, extensions={"kit"}, names_in=FOLDERS.get))
    assert [(one.code, one.span.line) for one in found] == [("idle-setting", line + 2)]
    assert message in found[0].message
    assert found[0].suggestion


def test_settings_with_an_effect_are_no_findings() -> None:
    text = (
        HEAD
        + 'exclude = ["docs/drafts/**", "**/CHANGELOG.md", "docs/a?.md", "build/**", ".octavo/**", "docs/lib/node_modules/**", "docs/a.m", "docs/a.md/**", "statics/**"]\n'
        + '[[navbar.items]]\nlabel = "A"\nhref = "/a"\n[[navbar.items]]\ntype = "locale"\n'
        + '[[navbar.items]]\nlabel = "B"\nitems = [{ label = "C", href = "/c" }]\n'
        + '[[sidebars]]\nid = "d"\nitems = [{ category = "X", link = { type = "generated-index" } }]\n'
        + '[[announcements]]\nid = "a"\ncontent = "See <a href=\\"/a\\">this</a> [1]."\n'
        + '[[redirects]]\nfrom = "/x/*"\nto = "/a"\n[extension_options.kit]\na = 1\n[mounts]\ncommunity = "/c"\n'
        + '[content_policy]\n"script-src" = ["https://x.example"]\n'
    )
    config = parse_config(text)
    assert list(find_idle_settings(config, text, extensions={"kit"}, names_in={**FOLDERS, "community": []}.get)) == []


def test_options_are_not_judged_where_an_extension_cannot_be_loaded() -> None:
    text = HEAD + "[extension_options.kit]\na = 1\n"
    config = parse_config(text)
    assert list(find_idle_settings(config, text, extensions=None, names_in=FOLDERS.get)) == []


def test_files_that_look_like_documents_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "guide"
    folder.mkdir(parents=True)
    left = ["A.MD", "b.adoc", "c.ipynb", "d.rst", "category.yaml", "_category_.toml"]
    for name in (*left, "e.md", "f.mdx", "g.txt", "_category_.yaml", "_category_.yml", "h.png", "categories.yaml"):
        (folder / name).write_text("")
    assert find_left_out(tmp_path, ["docs"]).others == sorted(f"docs/guide/{name}" for name in left)


def test_static_files_are_left_out_by_name_and_those_of_file_managers_always(tmp_path: Path) -> None:
    static = tmp_path / "static" / "img"
    static.mkdir(parents=True)
    for name in ("a.svg", "draft.svg", ".DS_Store", "Thumbs.db"):
        (static / name).write_text("")
    config = parse_config(HEAD + 'exclude = ["static/img/draft.*", "**/a.svg"]\n')
    assert read_static_folder(tmp_path, config).files == {"img/a.svg": "static/img/a.svg"}
    config = parse_config(HEAD + 'static = "docs/public"\nexclude = ["docs/public/**"]\n')
    (tmp_path / "docs/public").mkdir(parents=True)
    (tmp_path / "docs/public/a.txt").write_text("")
    assert read_static_folder(tmp_path, config).files == {"a.txt": "docs/public/a.txt"}
