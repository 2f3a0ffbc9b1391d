"""Sidebars made from folders, and sidebars that are written out."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.site import CategoryNode, SidebarNode
from tests.support.sites import MakeSite, SiteFolder, edition_of, outline, page, page_at

GUIDES = {"docs/guides/a.md": page("A"), "docs/guides/b.md": page("B")}


def sidebar_of(site: SiteFolder, sidebar: str = "docs", prefix: str = "") -> list[SidebarNode]:
    return edition_of(site.assemble(), prefix).sidebars[sidebar]


def outline_of(site: SiteFolder, sidebar: str = "docs") -> list[Any]:
    return outline(sidebar_of(site, sidebar))


def first_category(site: SiteFolder) -> CategoryNode:
    return next(node for node in sidebar_of(site) if isinstance(node, CategoryNode))


def test_folders_become_categories_and_documents_links(make_site: MakeSite) -> None:
    site = make_site({"docs/intro.md": page("Intro"), "docs/guides/deep/x.md": page("X"), **GUIDES})
    assert outline_of(site) == [
        ("Guides -", ["A /guides/a", "B /guides/b", ("Deep -", ["X /guides/deep/x"])]),
        "Intro /intro",
    ]


def test_items_stand_by_position_then_by_name_and_those_without_position_last(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/zebra.md": page("Zebra", sidebar_position=1),
            "docs/apple.md": page("Apple", sidebar_position=2.5),
            "docs/02-number.md": page("Number"),
            "docs/10-ten.md": page("Ten", sidebar_position=0),
            "docs/b.md": page("B"),
            "docs/a.md": page("A"),
            "docs/folder/_category_.yaml": "position: 2.2",
            "docs/folder/x.md": page("X"),
            "docs/03-other/x.md": page("X"),
        }
    )
    labels = [node if isinstance(node, str) else node[0] for node in outline_of(site)]
    assert labels == [
        "Ten /ten",
        "Zebra /zebra",
        "Number /number",
        "Folder -",
        "Apple /apple",
        "Other -",
        "A /a",
        "B /b",
    ]


def test_position_of_a_folder_is_that_of_its_index_where_the_category_file_has_none(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/a.md": page("A", sidebar_position=2),
            "docs/z/index.md": page("Z", sidebar_position=1),
            "docs/z/x.md": page("X"),
        }
    )
    assert outline_of(site) == [("Z /z/", ["X /z/x"]), "A /a"]


def test_label_of_a_document_is_its_sidebar_label_or_else_its_title(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/a.md": page("Long title", sidebar_label="Short"),
            "docs/b.md": "# From the heading\n",
            "docs/c.md": "No title at all.\n",
        }
    )
    assert outline_of(site) == ["Short /a", "From the heading /b", "c /c"]


@pytest.mark.parametrize("name", ["index.md", "README.md", "guides.mdx"])
def test_index_of_a_folder_is_the_page_of_its_category(make_site: MakeSite, name: str) -> None:
    site = make_site({f"docs/guides/{name}": page("Guides"), **GUIDES})
    assert outline_of(site) == [("Guides /guides/", ["A /guides/a", "B /guides/b"])]


FOLDERS = {
    "docs/about.md": page("About"),
    "docs/first_api-steps/x.md": page("X"),
    "docs/index.md": page("Welcome"),
    "docs/zebra.md": page("Zebra", sidebar_position=1),
}


def test_folders_have_readable_labels_and_an_index_leads_the_pages_without_a_position(make_site: MakeSite) -> None:
    site = make_site(FOLDERS)
    assert outline_of(site) == [
        "Zebra /zebra",
        "Welcome /",
        "About /about",
        ("First API steps -", ["X /first_api-steps/x"]),
    ]


def test_folders_are_as_written_where_the_site_says_so(make_site: MakeSite) -> None:
    site = make_site(FOLDERS, "[routing]\nfolders_as_written = true\n")
    assert outline_of(site) == [
        "Zebra /zebra",
        "About /about",
        ("first_api-steps -", ["X /first_api-steps/x"]),
        "Welcome /",
    ]


@pytest.mark.parametrize(
    ("folder", "label"),
    [
        ("api", "API"),
        ("rest-api", "REST API"),
        ("the-rest", "The rest"),
        ("cli_reference", "CLI reference"),
        ("apis", "APIs"),
        ("oauth", "OAuth"),
        ("graphql-and-grpc", "GraphQL and gRPC"),
        ("github", "GitHub"),
        ("javascript-sdks", "JavaScript SDKs"),
        ("macos", "macOS"),
        ("API", "API"),
        ("Api", "Api"),
        ("therapist", "Therapist"),
        ("02-ui", "UI"),
    ],
)
def test_label_of_a_folder_has_names_as_they_are_spelled(folder: str, label: str, make_site: MakeSite) -> None:
    """Readers know API and GitHub; a name that is written with capitals stays as it is."""
    site = make_site({f"docs/{folder}/x.md": page("X")})
    assert first_category(site).label == label


def test_slug_with_a_final_slash_makes_no_index(make_site: MakeSite) -> None:
    site = make_site({"docs/guides/special.md": page("Special", slug="/special/"), **GUIDES})
    assert outline_of(site) == [("Guides -", ["A /guides/a", "B /guides/b", "Special /special/"])]


def test_index_with_a_slug_of_its_own_is_still_the_page_of_its_category(make_site: MakeSite) -> None:
    site = make_site({"docs/guides/index.md": page("Guides", slug="/all-guides"), **GUIDES})
    assert outline_of(site) == [("Guides /all-guides", ["A /guides/a", "B /guides/b"])]


def test_index_of_the_generated_folder_itself_is_an_ordinary_item(make_site: MakeSite) -> None:
    config = '[[sidebars]]\nid = "docs"\nitems = [{ autogenerated = "guides" }]'
    site = make_site({"docs/guides/index.md": page("Overview", sidebar_position=1), **GUIDES}, config)
    assert outline_of(site) == ["Overview /guides/", "A /guides/a", "B /guides/b"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_category_.yaml", "label: How-to\nposition: 1\ncollapsed: false\ncollapsible: true\nclassName: wide"),
        ("_category_.yml", "label: How-to\nposition: 1\ncollapsed: false\ncollapsible: true\nclassName: wide"),
        (
            "_category_.json",
            '{"label": "How-to", "position": 1, "collapsed": false, "collapsible": true, "className": "wide"}',
        ),
    ],
)
def test_category_file_gives_label_and_look(make_site: MakeSite, name: str, text: str) -> None:
    node = first_category(make_site({f"docs/guides/{name}": text, **GUIDES}))
    assert (node.label, node.is_collapsed, node.is_collapsible, node.class_name) == ("How-to", False, True, "wide")


def test_category_that_cannot_collapse_is_open(make_site: MakeSite) -> None:
    node = first_category(make_site({"docs/guides/_category_.yaml": "collapsible: false", **GUIDES}))
    assert (node.is_collapsed, node.is_collapsible) == (False, False)


def test_category_says_nothing_of_being_collapsed_unless_told_to(make_site: MakeSite) -> None:
    node = first_category(make_site(GUIDES))
    assert (node.is_collapsed, node.is_collapsible, node.description) == (None, True, None)


@pytest.mark.parametrize("folder", ["guides", "01-guides"])
@pytest.mark.parametrize("doc_id", ["guides/a", "a"])
def test_category_opens_on_the_document_that_it_links(make_site: MakeSite, folder: str, doc_id: str) -> None:
    site = make_site(
        {
            f"docs/{folder}/_category_.yaml": f"label: G\nlink: {{ type: doc, id: {doc_id} }}",
            f"docs/{folder}/a.md": page("A"),
            f"docs/{folder}/b.md": page("B"),
        }
    )
    assert outline_of(site) == [("G /guides/a", ["B /guides/b"])]


def test_null_link_leaves_the_index_an_ordinary_item(make_site: MakeSite) -> None:
    site = make_site({"docs/guides/_category_.yaml": "link: null", "docs/guides/index.md": page("Index"), **GUIDES})
    assert outline_of(site) == [("Guides -", ["Index /guides/", "A /guides/a", "B /guides/b"])]


def test_generated_index_stands_at_the_slug_of_its_label(make_site: MakeSite) -> None:
    site = make_site(
        {"docs/guides/_category_.yaml": "label: Using the CLI!\nlink: { type: generated-index }", **GUIDES}
    )
    assembled = site.assemble()
    index = page_at(assembled, "/category/using-the-cli")
    assert outline_of(site) == [("Using the CLI! /category/using-the-cli", ["A /guides/a", "B /guides/b"])]
    assert (index.kind, index.title, index.description) == ("category", "Using the CLI!", "")
    assert outline(index.siblings) == ["A /guides/a", "B /guides/b"]
    assert (index.edition.locale.id, index.edition.prefix) == ("en", "")


def test_generated_index_takes_slug_title_and_description(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/guides/_category_.yaml": (
                "label: How-to\nlink:\n  type: generated-index\n  slug: /category/using-the-toolhive-cli\n"
                "  title: Using the CLI\n  description: All guides.\n"
            ),
            **GUIDES,
        }
    )
    index = page_at(site.assemble(), "/category/using-the-toolhive-cli")
    assert (index.title, index.description) == ("Using the CLI", "All guides.")
    assert first_category(site).description == "All guides."


def test_generated_indexes_of_one_label_get_addresses_of_their_own(make_site: MakeSite) -> None:
    index = "label: Guides\nlink: { type: generated-index }"
    site = make_site(
        {"docs/a/_category_.yaml": index, "docs/a/x.md": "", "docs/b/_category_.yaml": index, "docs/b/x.md": ""}
    )
    assert [node[0] for node in outline_of(site)] == ["Guides /category/guides", "Guides /category/guides-1"]


def test_two_generated_indexes_at_one_slug_are_reported(make_site: MakeSite) -> None:
    index = "position: 1\nlabel: {}\nlink: {{ type: generated-index, slug: /category/all }}"
    site = make_site(
        {
            "docs/a/_category_.yaml": index.format("A"),
            "docs/a/x.md": "",
            "docs/b/_category_.yaml": index.format("B"),
            "docs/b/x.md": "",
        }
    )
    assert site.findings() == [
        (
            'docs/b/_category_.yaml:2:1: warn: The route "/category/all" is already that of the generated index "A" '
            "(docs/a/_category_.yaml), which keeps it. Give one of the two another slug. [duplicate-route]"
        )
    ]


def test_empty_category_vanishes(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/a.md": page("A"),
            "docs/empty/_category_.yaml": "label: Empty\nlink: { type: generated-index }",
            "docs/drafts/x.md": page("X", draft=True),
        }
    )
    assert outline_of(site) == ["A /a"]
    assert "/category/empty" not in site.assemble().by_route


def test_category_with_only_its_own_page_is_a_link(make_site: MakeSite) -> None:
    site = make_site({"docs/guides/_category_.yaml": "label: Guides here", "docs/guides/index.md": page("Index")})
    assert outline_of(site) == ["Guides here /guides/"]


WRITTEN = """
[[sidebars]]
id = "docs"
items = [
  { doc = "intro" },
  { doc = "guides/a", label = "First guide", class_name = "big" },
  { href = "https://example.org", label = "Elsewhere" },
  { href = "/about" },
  { category = "More", is_collapsed = false, link = { type = "doc", id = "guides/b" }, items = [
    { autogenerated = "deep" },
    { category = "Index", link = { type = "generated-index", slug = "/all", title = "All of it" }, items = [{ doc = "last" }] },
  ] },
  { category = "Nothing", items = [] },
]
"""


def test_written_sidebar_is_taken_as_it_stands(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/intro.md": page("Intro"),
            "docs/last.md": page("Last"),
            "docs/deep/x.md": page("X"),
            "docs/deep/y/z.md": page("Z"),
            **GUIDES,
        },
        WRITTEN,
    )
    assert outline_of(site) == [
        "Intro /intro",
        "First guide /guides/a",
        "Elsewhere → https://example.org",
        "/about → /about",
        ("More /guides/b", ["X /deep/x", ("Y -", ["Z /deep/y/z"]), ("Index /all", ["Last /last"])]),
    ]
    assert page_at(site.assemble(), "/all").title == "All of it"
    more = sidebar_of(site)[4]
    assert isinstance(more, CategoryNode)
    assert more.is_collapsed is False


def test_class_of_a_document_is_taken_from_its_front_matter(make_site: MakeSite) -> None:
    config = '[[sidebars]]\nid = "docs"\nitems = [{ doc = "a" }, { doc = "b", class_name = "entry" }]'
    front = {"docs/a.md": page("A", sidebar_class_name="own"), "docs/b.md": page("B", sidebar_class_name="own")}
    nodes = sidebar_of(make_site(front, config))
    assert [node.class_name for node in nodes] == ["own", "entry"]


def test_entries_of_a_group_are_together_at_the_place_of_the_first(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A", sidebar_position=1),
        "docs/b.md": page("B", sidebar_position=2, sidebar_group="Tools"),
        "docs/c.md": page("C", sidebar_position=3),
        "docs/d/index.md": page("D", sidebar_position=4, sidebar_group="Tools"),
        "docs/d/e.md": page("E", sidebar_group="Tools"),
        "docs/f.md": page("F", sidebar_position=5, sidebar_group="Other"),
    }
    site = make_site(files)
    assert outline_of(site) == [
        "A /a",
        ("Tools -", ["B /b", ("D /d/", [("Tools -", ["E /d/e"])])]),
        "C /c",
        ("Other -", ["F /f"]),
    ]
    assert [node.is_collapsed for node in sidebar_of(site) if isinstance(node, CategoryNode)] == [False, False]


def test_label_of_a_group_is_translated(make_site: MakeSite) -> None:
    locales = '[[locales]]\nid = "en"\nlabel = "E"\n[[locales]]\nid = "de"\nlabel = "D"\npath = "de"\n[labels.de]\nTools = "Werkzeuge"\n'
    site = make_site({"docs/a.md": page("A", sidebar_group="Tools")}, locales)
    assert [outline(sidebar_of(site, prefix=prefix))[0][0] for prefix in ("", "/de")] == ["Tools -", "Werkzeuge -"]


def test_badges_are_of_the_entry_or_of_its_document(make_site: MakeSite) -> None:
    config = """[[sidebars]]
id = "docs"
items = [
  { doc = "a" },
  { doc = "b", badge = "Entry" },
  { category = "More", badge = "Hot", items = [{ autogenerated = "c" }, { href = "https://kite.example", badge = "Out" }] },
]
"""
    files = {
        "docs/a.md": page("A", sidebar_badge="Own"),
        "docs/b.md": page("B", sidebar_badge="Own"),
        "docs/c/d.md": page("D", sidebar_badge="New"),
        "docs/c/e.md": page("E"),
        "docs/c/f/index.md": page("F", sidebar_badge="Folder"),
        "docs/c/f/g.md": page("G"),
    }
    nodes = sidebar_of(make_site(files, config))
    more = nodes[2]
    assert isinstance(more, CategoryNode)
    assert [node.badge for node in nodes] == ["Own", "Entry", "Hot"]
    assert {node.label: node.badge for node in more.items} == {
        "D": "New",
        "E": "",
        "F": "Folder",
        "https://kite.example": "Out",
    }


def test_folder_that_is_mounted_deep_is_in_its_own_sidebar_alone(make_site: MakeSite) -> None:
    config = """[mounts]
"packages/sdk/docs" = "/sdk"
[[sidebars]]
id = "docs"
items = [{ autogenerated = "." }]
[[sidebars]]
id = "sdk"
items = [{ autogenerated = "packages/sdk/docs" }]
"""
    files = {"docs/a.md": page("A"), "docs/b/c.md": page("C"), "packages/sdk/docs/d.md": page("D")}
    assert [node.label for node in sidebar_of(make_site(files, config))] == ["A", "B"]


FINDINGS = {
    "unknown document": (
        'items = [\n  { doc = "guides/aa" },\n]',
        (
            'octavo.toml:5:11: error: sidebar "docs": there is no document with the id "guides/aa". '
            'Did you mean "guides/a"? [sidebar]'
        ),
    ),
    "unknown document of a category": (
        'items = [\n  { category = "C", link = { type = "doc", id = "nothing" }, items = [{ autogenerated = "." }] },\n]',
        'octavo.toml:5:49: error: category "C": there is no document with the id "nothing". [sidebar]',
    ),
    "unknown folder": (
        'items = [\n  { autogenerated = "." },\n  { autogenerated = "gides" },\n]',
        (
            'octavo.toml:6:21: error: Sidebar "docs" is generated from the folder "gides", which does not exist in "docs". '
            "[sidebar]"
        ),
    ),
}


@pytest.mark.parametrize("case", FINDINGS)
def test_what_a_sidebar_names_must_exist(make_site: MakeSite, case: str) -> None:
    config, expected = FINDINGS[case]
    findings = make_site(GUIDES, f'[[sidebars]]\nid = "docs"\n{config}').findings()
    assert [finding for finding in findings if "[sidebar]" in finding] == [expected]


def test_draft_in_a_sidebar_is_left_out_without_a_word(make_site: MakeSite) -> None:
    config = '[[sidebars]]\nid = "docs"\nitems = [{ doc = "a" }, { doc = "b" }]'
    site = make_site({"docs/a.md": page("A"), "docs/b.md": page("B", draft=True)}, config)
    assert (outline_of(site), site.findings()) == (["A /a"], [])


CATEGORY_FILES = {
    "unknown key": (
        "_category_.yaml",
        "label: X\nlabl: Y",
        ('docs/guides/_category_.yaml:2:1: error: "labl" is not a setting. Did you mean "label"? [category-file]'),
    ),
    "broken YAML": (
        "_category_.yml",
        "label: X\nposition: [1",
        (
            "docs/guides/_category_.yml:2:11: error: This category file cannot be read: "
            "did not find expected ',' or ']' while parsing a flow sequence. [category-file]"
        ),
    ),
    "broken JSON": (
        "_category_.json",
        '{"label": "X",}',
        (
            "docs/guides/_category_.json:1:15: error: This category file cannot be read: it is not valid JSON: "
            "Expecting property name enclosed in double quotes. [category-file]"
        ),
    ),
    "text for a number": (
        "_category_.json",
        '{\n  "label": "X",\n  "position": "first"\n}',
        'docs/guides/_category_.json:3:1: error: position is "first"; expected a number. [category-file]',
    ),
    "no mapping": (
        "_category_.yaml",
        "- label",
        "docs/guides/_category_.yaml:1:1: error: this is a list; expected a table. [category-file]",
    ),
    "unknown document": (
        "_category_.yaml",
        "label: X\nlink: { type: doc, id: bb }",
        'docs/guides/_category_.yaml:2:1: error: category "guides": there is no document with the id "bb". [sidebar]',
    ),
}


@pytest.mark.parametrize("case", CATEGORY_FILES)
def test_mistake_in_a_category_file_is_reported_and_the_folder_still_listed(make_site: MakeSite, case: str) -> None:
    name, text, expected = CATEGORY_FILES[case]
    site = make_site({f"docs/guides/{name}": text, **GUIDES})
    assert site.findings() == [expected]
    assert outline_of(site)[0][1] == ["A /guides/a", "B /guides/b"]


def test_two_category_files_in_one_folder_are_reported(make_site: MakeSite) -> None:
    site = make_site({"docs/guides/_category_.yaml": "", "docs/guides/_category_.json": "{}", **GUIDES})
    assert site.findings() == [
        (
            "docs/guides/_category_.yaml:1:1: error: docs/guides/_category_.yaml and docs/guides/_category_.json "
            "both describe this folder; keep one of them. [category-file]"
        )
    ]


def test_site_without_sidebars_gets_one_of_all_documents(make_site: MakeSite) -> None:
    site = make_site(GUIDES).assemble()
    assert list(edition_of(site).sidebars) == ["docs"]
