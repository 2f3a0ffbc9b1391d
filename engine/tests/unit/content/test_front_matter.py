import re

import msgspec
import pytest

from octavo.content import Dialect, Document, FrontMatter, LastUpdate
from octavo.content.compile import ContentOptions, compile_document
from octavo.content.dialect import EXTENSIONS
from octavo.content.front_matter_values import ALIASES, READERS
from octavo.content.posts import PostFolder
from tests.support.each import each


def compile_page(source: str, path: str = "docs/page.md") -> Document:
    return compile_document(source, source_path=path, load={}.get, options=ContentOptions())


def settings(yaml: str) -> FrontMatter:
    document = compile_page(f"---\n{yaml}\n---\n")
    assert document.diagnostics == []
    return document.front_matter


def problems(yaml: str) -> list[str]:
    found = compile_page(f"---\n{yaml}\n---\n\nBody\n").diagnostics
    return [f"{item.span} {item.level} {' → '.join(filter(None, (item.message, item.suggestion)))}" for item in found]


def test_every_key_is_read():
    assert FrontMatter(
        title="T",
        description="D",
        id="i",
        slug="/s",
        layout="landing",
        sidebar_label="L",
        sidebar_position=2.5,
        sidebar_class_name="c",
        sidebar_group="G",
        sidebar_badge="B",
        hide_title=True,
        hide_table_of_contents=True,
        toc_min_heading_level=2,
        toc_max_heading_level=5,
        pagination_label="P",
        pagination_prev="a/b",
        pagination_next="c",
        displayed_sidebar="main",
        draft=True,
        unlisted=True,
        keywords=["a", "b"],
        image="/i.png",
        tags=["x", "y"],
        last_update=LastUpdate("2026-01-31", "N. N."),
        custom_edit_url="https://e.org",
    ) == settings(
        "title: T\ndescription: D\nid: i\nslug: /s\nlayout: landing\nsidebar_label: L\nsidebar_position: 2.5\n"
        "sidebar_class_name: c\nsidebar_group: G\nsidebar_badge: B\nhide_title: true\nhide_table_of_contents: true\ntoc_min_heading_level: 2\n"
        "toc_max_heading_level: 5\npagination_label: P\npagination_prev: a/b\npagination_next: c\n"
        "displayed_sidebar: main\ndraft: true\nunlisted: true\nkeywords: [a, b]\nimage: /i.png\n"
        "tags: [x, {label: y, permalink: /y}]\nlast_update:\n  date: 2026-01-31\n  author: N. N.\n"
        "custom_edit_url: https://e.org"
    )


def test_explicit_null_removes():
    found = settings(
        "pagination_prev: null\npagination_next: ~\ndisplayed_sidebar: null\ncustom_edit_url: null\ntitle:"
    )
    assert FrontMatter(removes_prev=True, removes_next=True, removes_sidebar=True, hides_edit_url=True) == found


@pytest.mark.parametrize(
    ("yaml", "title"),
    [
        ('title: "A: b"', "A: b"),
        ("title: Two words", "Two words"),
        ("title: 'it''s'", "it's"),
        ("title: |\n  Long\n  text", "Long\ntext"),
        ('title: "Tab\\t"', "Tab\t"),
        ("title: Ünïcode — 中文", "Ünïcode — 中文"),
        ("title: Install it  # a comment", "Install it"),
    ],
)
def test_title_is_what_yaml_says(yaml: str, title: str):
    assert title == settings(yaml).title


def test_plain_lines_mean_what_yaml_says():
    import yaml

    lines = 'title: "It is"\nsidebar_label: Get it now\nsidebar_position: 12\nid: "007"'
    raw = yaml.safe_load(lines)
    found = settings(lines)
    assert raw == {
        "title": found.title,
        "sidebar_label": found.sidebar_label,
        "sidebar_position": found.sidebar_position,
        "id": found.id,
    }


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        ("titel: x", 'docs/page.md:2:1 warn Front matter has no key "titel". → Did you mean "title"?'),
        ("zzz: x", 'docs/page.md:2:1 warn Front matter has no key "zzz".'),
        (
            "id: a\ndraft: yes please",
            'docs/page.md:3:1 warn Front matter "draft" is "yes please"; expected true or false.',
        ),
        ("title: 404", 'docs/page.md:2:1 warn Front matter "title" is 404; expected text: write "404" in quotes.'),
        ("title: [a]", 'docs/page.md:2:1 warn Front matter "title" is a list; expected text.'),
        (
            "sidebar_position: first",
            'docs/page.md:2:1 warn Front matter "sidebar_position" is "first"; expected a number.',
        ),
        (
            "toc_max_heading_level: 2\ntoc_min_heading_level: 4",
            (
                "docs/page.md:3:1 warn No heading is of level 4 and more, and of level 2 and less: the table of contents is empty. "
                "→ Exchange toc_min_heading_level and toc_max_heading_level."
            ),
        ),
        (
            "toc_max_heading_level: 7",
            'docs/page.md:2:1 warn Front matter "toc_max_heading_level" is 7; expected an integer from 2 to 6.',
        ),
        (
            "tags: {a: b}",
            'docs/page.md:2:1 warn Front matter "tags" is a mapping; expected a list of texts, or of mappings with a label.',
        ),
        (
            "title: A\nhero: {}\nhide: [toc]",
            'docs/page.md:3:1 warn Front matter has keys of other engines, which have no effect here: "hero".',
        ),
        ("keywords: {a: b}", 'docs/page.md:2:1 warn Front matter "keywords" is a mapping; expected a list of texts.'),
        (
            "layout: wide",
            (
                'docs/page.md:2:1 warn Front matter "layout" is "wide"; '
                "expected one of doc, page, landing, splash, reference, blank, search."
            ),
        ),
        (
            "last_update: {date: soon}",
            'docs/page.md:2:1 warn Front matter "last_update" is a mapping; expected a date such as 2026-01-31.',
        ),
        ("- a", "docs/page.md:2:1 error The front matter is a list; expected lines of the form `key: value`."),
        (
            "id: x\ntitle: [a",
            "docs/page.md:3:8 error The front matter is not valid YAML: did not find expected ',' or ']' while parsing a flow sequence.",
        ),
    ],
)
def test_mistake_is_reported_at_its_line(yaml: str, problem: str):
    assert [problem] == problems(yaml)


def test_a_bad_key_leaves_the_others():
    document = compile_page("---\ntitle: [1]\ndescription: D\n---\n")
    assert FrontMatter(description="D") == document.front_matter


@pytest.mark.parametrize(
    ("written", "title"), [("1.10", "1.10"), ("2024-01-02", "2024-01-02"), ("404 # x", "404"), ("true", "true")]
)
def test_a_title_that_is_no_text_is_taken_as_it_is_written(written: str, title: str):
    document = compile_page(f"---\ntitle: {written}\n---\n")
    assert document.front_matter.title == title
    assert [found.level for found in document.diagnostics] == ["warn"]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("tags: a, b c", FrontMatter(tags=["a", "b c"])),
        ('tags: [Release, " x  y ", release, "", {label: X y}]', FrontMatter(tags=["Release", "x y"])),
        ("tags: [1.5, x]", FrontMatter(tags=["1.5", "x"])),
        ("keywords: [2024, x]", FrontMatter(keywords=["2024", "x"])),
        ('sidebar_position: "3"', FrontMatter(sidebar_position=3)),
        ("weight: 20", FrontMatter(sidebar_position=20)),
        ("weight: 0", FrontMatter()),
        ("weight: 20\nsidebar_position: 1", FrontMatter(sidebar_position=1)),
        (
            "sidebar: {label: L, order: 2, badge: New}",
            FrontMatter(sidebar_label="L", sidebar_position=2, sidebar_badge="New"),
        ),
        ("sidebar: {badge: {text: Beta, variant: tip}}", FrontMatter(sidebar_badge="Beta")),
        ("sidebar: {badge: {variant: tip}}", FrontMatter()),
        ("linkTitle: Short title", FrontMatter(sidebar_label="Short title")),
        ("lastUpdated: 2024-02-03", FrontMatter(last_update=LastUpdate("2024-02-03"))),
        ("last_update: 2024/02/03", FrontMatter(last_update=LastUpdate("2024-02-03"))),
        ("last_update: {date: 'Feb 3, 2024'}", FrontMatter(last_update=LastUpdate("2024-02-03"))),
        ("last_update: {date: 3 February 2024}", FrontMatter(last_update=LastUpdate("2024-02-03"))),
        ("last_update: {date: '2024-02-03T10:00:00Z'}", FrontMatter(last_update=LastUpdate("2024-02-03"))),
        ("tableOfContents: {maxHeadingLevel: 4}", FrontMatter(toc_max_heading_level=4)),
        ("lastUpdated: false", FrontMatter()),
    ],
)
def test_keys_and_forms_of_other_engines_mean_ours(yaml: str, expected: FrontMatter):
    assert settings(yaml) == expected


@pytest.mark.parametrize("source", ["---\n---\nBody\n", "---\n\n---\nBody\n", "---\n# only a comment\n---\nBody\n"])
def test_empty_front_matter_is_none(source: str):
    document = compile_page(source)
    assert (FrontMatter(), "<p>Body</p>") == (document.front_matter, document.body)


@pytest.mark.parametrize("source", ["---\n\nText\n", "Text\n\n---\ntitle: x\n---\n", "----\ntitle: x\n----\n"])
def test_what_is_not_at_the_head_or_not_closed_is_text(source: str):
    assert compile_page(source).front_matter == FrontMatter()


def _compile(front: str) -> Document:
    return compile_document(f"---\n{front}---\n\nText\n", source_path="p.md", load={}.get, options=ContentOptions())


def test_forms_of_other_engines_are_understood() -> None:
    document = _compile("draft: 'true'\nunlisted: \"false\"\nkeywords: a, b c,\n")
    front = document.front_matter
    assert (front.draft, front.unlisted, front.keywords) == (True, False, ["a", "b c"])
    assert document.diagnostics == []


@pytest.mark.parametrize(
    ("line", "hides"),
    [
        ("search: false", True),
        ("search: true", False),
        ("search: {exclude: true}", True),
        ("search: {exclude: 'false'}", False),
        ("pagefind: false", True),
    ],
)
def test_page_may_ask_not_to_be_found(line: str, hides: bool) -> None:
    document = _compile(f"{line}\n")
    assert document.front_matter.hides_from_search is hides
    assert document.diagnostics == []


@pytest.mark.parametrize(
    ("line", "hides"), [("search: {boost: 2}", False), ("search: {exclude: true, boost: 2}", True)]
)
def test_rank_of_a_page_in_another_search_has_no_effect(line: str, hides: bool) -> None:
    document = _compile(f"{line}\n")
    assert document.front_matter.hides_from_search is hides
    (found,) = document.diagnostics
    assert (found.code, found.span.line) == ("front-matter-key", 2)
    assert '"search.boost"' in found.message


@pytest.mark.parametrize("line", ["search: never", "search: {rank: 2}"])
def test_other_values_of_search_are_findings(line: str) -> None:
    document = _compile(f"{line}\n")
    assert document.front_matter.hides_from_search is False
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("front-matter", 2)]


def test_layout_of_another_engine_is_a_warning() -> None:
    (found,) = _compile("layout: gallery\n").diagnostics
    assert (found.level, found.code, found.span.line) == ("warn", "front-matter", 2)


@pytest.mark.parametrize(
    ("line", "layout"), [("layout: home", "landing"), ("layout: splash", "splash"), ("template: splash", "splash")]
)
def test_layouts_of_other_engines_have_one_of_ours(line: str, layout: str) -> None:
    document = _compile(f"{line}\n")
    assert (document.front_matter.layout, document.diagnostics) == (layout, [])


@pytest.mark.costly
def test_many_unknown_keys_are_counted() -> None:
    document = _compile("".join(f"key{number}: x\n" for number in range(16_000)))
    assert len(document.diagnostics) == 21
    assert document.diagnostics[-1].message == "Front matter has 15980 more keys that are not known."


@pytest.mark.parametrize(
    ("yaml", "fields"),
    [
        ("hide: [toc, navigation]", {"hide_table_of_contents", "removes_sidebar"}),
        ("hide: [footer]", set()),
        ("outline: false", {"hide_table_of_contents"}),
        ("tableOfContents: false", {"hide_table_of_contents"}),
        ("prev: false\nnext: false", {"removes_prev", "removes_next"}),
        ("pagination: false", {"removes_prev", "removes_next"}),
    ],
)
def test_keys_with_which_other_engines_hide_something_do_so(yaml: str, fields: set[str]) -> None:
    found = msgspec.structs.asdict(settings(yaml))
    assert {name for name, value in found.items() if value is True} - {"glossary"} == fields


@pytest.mark.parametrize(
    ("value", "levels"),
    [
        ("deep", (2, 6)),
        ("[2, 4]", (2, 4)),
        ("3", (3, 3)),
        ("{level: [2, 5], label: On this page}", (2, 5)),
    ],
)
def test_outline_of_vitepress_chooses_the_levels_of_the_list_of_contents(value: str, levels: tuple[int, int]) -> None:
    found = settings(f"outline: {value}")
    assert (found.toc_min_heading_level, found.toc_max_heading_level) == levels


@pytest.mark.parametrize("value", ["[4, 2]", "[2, 9]", "true", "[2]", "{level: x}"])
def test_outline_that_names_no_levels_has_no_effect(value: str) -> None:
    document = _compile(f"outline: {value}\n")
    assert [one.code for one in document.diagnostics] == ["front-matter-key"]
    assert (document.front_matter.toc_min_heading_level, document.front_matter.toc_max_heading_level) == (2, 3)


def test_key_that_is_given_twice_is_found() -> None:
    assert problems("title: One\nlast_update:\n  author: title\ndescription: |\n  title: text\ntitle: Two") == [
        'docs/page.md:7:1 warn The key "title" is given twice in the front matter; the last one counts. → Remove one of them.'
    ]


ODD_VALUES = [
    "[[x]]", "[{a: b}]", "{a: [b]}", "{a: {b: c}}", "[null]", "null", "''", "'  '", "true", "0", "-1", "9" * 400,
    ".nan", "-.inf", "2024-01-31", "2024-01-31T10:00:00Z", "12:30:00", '"a\\0b"', "!!binary aGk=", "!!set {a, b}",
    "&a [*a]", "[1.5, x]", "{date: [x], author: 5}", "{date: 99999-01-01}", "{label: {}}", "[{label: [x]}]",
]  # fmt: skip


@pytest.mark.costly
@each("value", ODD_VALUES)
def test_no_value_of_any_key_stops_the_compiler(value: str) -> None:
    keys = [*READERS, *ALIASES, "hide", "sidebar", "tableOfContents", "pagination", "hero", "1", "other"]
    for key in keys:
        for path in ("docs/page.md", "docs/page.mdx"):
            document = compile_page(f"---\n{key}: {value}\n---\n\nBody\n", path)
            assert "\x00" not in msgspec.json.encode(document.front_matter).decode()
            assert "\\u0000" not in msgspec.json.encode(document.front_matter).decode()
            assert document.headings == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n\n---\ntitle: A\n---\n\nBody\n", 3, "Front matter is read at the first line of a file only"),
        ("----\ntitle: A\n----\n\nBody\n", 1, "Front matter is put between lines of three dashes"),
        ('{\n  "title": "A"\n}\n\nBody\n', 1, "Front matter in JSON is not read"),
        ("---\ntitle: A\n\nBody\n", 1, "The front matter is never closed"),
        ("Title: A\n\nBody\n", 1, "These lines look like front matter"),
        ("Author: A\n        B\nDate: 2020\n\nBody\n", 1, "These lines look like front matter"),
        ("date: 2020\ntags: a b\n", 1, "These lines look like front matter"),
        ('---\ntitle: "a\\0b"\n---\n\nBody\n', 2, "This stands for the character NUL"),
        ("---\nid: a\nsidebar_position: .inf\n---\n\nBody\n", 3, 'Front matter "sidebar_position" is inf'),
    ],
)
def test_settings_that_are_not_taken_are_a_finding(text: str, line: int, message: str) -> None:
    (found,) = compile_page(text).diagnostics
    assert (found.code, found.span.line) == ("front-matter", line)
    assert found.message.startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "\nText\n\n---\n\nkey: value\n\n---\n",
        "\n---\n\nText\n",
        "Text\n----\n\nMore\n",
        '{"a": 1} is JSON.\n',
        "Date: the day of it.\n\nText\n",
        "Note: this.\nTitle: that.\n",
        "\n---\nWords: many of them,\nin lines.\n\nNo second line of dashes.\n",
    ],
)
def test_text_that_only_looks_like_settings_is_text(text: str) -> None:
    assert [one.code for one in compile_page(text).diagnostics if one.code == "front-matter"] == []


def test_titles_of_jekyll_are_html():
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"jekyll"}))})
    text = "---\ntitle: C&oacute;digo\ndescription: A &amp; B\n---\n"
    found = compile_document(text, source_path="a.md", load={}.get, options=options).front_matter
    assert (found.title, found.description) == ("Código", "A & B")
    assert settings("title: C&oacute;digo").title == "C&oacute;digo"


def test_a_template_of_another_engine_is_a_key_without_effect() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["emoji"]))})
    found = [
        [one.code for one in compile_document(text, source_path="p.md", load={}.get, options=options).diagnostics]
        for text in ("---\nlayout: KiteGallery\n---\n\nText\n", "---\nlayout: pag\n---\n\nText\n")
    ]
    assert found == [["front-matter-key"], ["front-matter"]]


def test_misspelt_field_of_an_extension_is_suggested() -> None:
    options = ContentOptions(fields=frozenset({"firing_temperature"}))
    text = "---\nfiring_temprature: 1240\n---\n\n# Glaze\n"
    found = compile_document(text, source_path="docs/page.md", load={}.get, options=options).diagnostics
    assert [(one.message, one.suggestion) for one in found] == [
        ('Front matter has no key "firing_temprature".', 'Did you mean "firing_temperature"?')
    ]


@pytest.mark.parametrize("extension", sorted(EXTENSIONS))
@pytest.mark.parametrize("value", ["&a {b: *a, c: 1}", "&a [1, *a]"])
def test_front_matter_that_holds_itself_is_a_mistake_in_every_dialect(extension: str, value: str) -> None:
    """Extensions read the values as well: those of templates wrote them out, without an end."""
    source = f"---\ntitle: T\nitself: {value}\n---\n\n# T {{{{ itself }}}} {{{{ page.itself | jsonify }}}}\n\nWords.\n"
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({extension}))})
    document = compile_document(source, source_path="a.md", load={}.get, options=options)
    assert "Words." in document.body
    mistake = next(one for one in document.diagnostics if one.code == "front-matter")
    assert (mistake.span.line, "lead in a circle" in mistake.message) == (3, True)


def test_posts_of_other_engines_have_other_names_for_some_keys() -> None:
    def compiled(text: str, path: str) -> Document:
        options = ContentOptions(posts=(PostFolder("docs/blog"),))
        return compile_document(f"---\n{text}\n---\n", source_path=path, load={}.get, options=options)

    post = compiled("title: A\nsummary: About it.\nauthor: Ann", "docs/blog/a.md")
    assert post.front_matter.description == "About it."
    assert post.front_matter.authors == ["Ann"]
    assert post.diagnostics == []
    own = compiled("excerpt: Other.\ndescription: Own.", "docs/blog/a.md")
    assert own.front_matter.description == "Own."
    document = compiled("summary: About it.", "docs/a.md")
    assert document.front_matter.description != "About it."


@each(
    ("extension", "text", "told"),
    [
        ("hugo", "aliases: [/old/]\nmanualLink: https://example.org", []),
        ("zola", "aliases: [/old/]", []),
        ("jekyll", "parent: Kites\ngrand_parent: Things\nnav_exclude: true\npermalink: /x\nredirect_from: /old", []),
        ("hugo", "redirect_from: /old", ["redirect_from"]),
        ("admonitions", "aliases: [/old/]", ["aliases"]),
    ],
)
def test_keys_that_an_import_has_carried_over_are_not_said_to_have_no_effect(
    extension: str, text: str, told: list[str]
) -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({extension}))})
    document = compile_document(f"---\n{text}\n---\n", source_path="a.md", load={}.get, options=options)
    assert [name for one in document.diagnostics for name in re.findall(r'"(\w+)"', one.message)] == told


def test_tag_of_mintlify_is_a_badge_in_its_pages_alone() -> None:
    def badge_and_findings(extension: str) -> tuple[str | None, list[str]]:
        options = ContentOptions(folders={"": Dialect(extensions=frozenset([extension]))})
        text = "---\ntitle: T\ntag: NEW\n---\n"
        document = compile_document(text, source_path="a.md", load={}.get, options=options)
        return document.front_matter.sidebar_badge, [one.code for one in document.diagnostics]

    assert badge_and_findings("mintlify") == ("NEW", [])
    assert badge_and_findings("nextra") == (None, ["front-matter-key"])


@pytest.mark.parametrize(("text", "title"), [("---\ntitle: T\n", "T"), ("---\n- a\n", None), ("---\na: [\n", None)])
def test_settings_to_the_end_of_a_page_of_vitepress_need_no_line_below_them(text: str, title: str | None):
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["vitepress"]))})
    document = compile_document(text, source_path="docs/page.md", load=lambda _: None, options=options)
    assert document.front_matter.title == title
    assert compile_page(text).front_matter.title is None


@pytest.mark.parametrize(
    ("extension", "key", "label"),
    [
        ("retype", "label", "Short"),
        ("hugo", "linktitle", "Short"),
        ("emoji", "label", None),
        ("emoji", "linktitle", None),
    ],
)
def test_keys_of_one_engine_mean_something_in_its_pages_alone(extension: str, key: str, label: str | None) -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset([extension]))})
    text = f"---\n{key}: Short\n---\n\n# Long\n"
    document = compile_document(text, source_path="docs/a.md", load={}.get, options=options)
    assert document.front_matter.sidebar_label == label
    assert [one.code for one in document.diagnostics] == ([] if label else ["front-matter-key"])
