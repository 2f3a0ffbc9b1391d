"""Pages made from command data: their addresses, their content, and the findings about bad data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from octavo.search.index.tantivy_index import IndexReader
from tests.support.sites import HOME, MakeSite, SiteFolder, page, use_small_theme

CONFIG = """
[[commands]]
source = "commands"
docs = "cli"
"""
POT = """\
name: pot
synopsis: Make things of clay
usage: pot [flags]
options:
  - name: verbose
    shorthand: v
    default_value: "false"
    usage: Say more
"""
FIRE = """\
name: pot fire
synopsis: Harden what has dried
description: |
  Heats the kiln. See [drying](/guide).
usage: pot fire [flags] PIECE
aliases: [bake]
arguments:
  - name: PIECE
    usage: what to harden
options:
  - name: heat
    shorthand: H
    type: int
    default_value: 900
    usage: Degrees, of the `kiln | oven`
  - name: glaze
    type: strings
    default_value: "[]"
    usage: Colors
    allowed: [red, blue]
inherited_options:
  - name: verbose
    shorthand: v
    default_value: "false"
    usage: Say more
notes:
  - Wait for an hour.
example: |
  pot fire --heat 1000 cup
output: |
  $ pot fire cup
  Fired <1> cup
see_also:
  - "pot\\t - Make things of clay"
"""
FILES = {
    "commands/pot.yaml": POT,
    "commands/fire.yaml": FIRE,
    **HOME,
    "docs/guide.md": page("Guide", "See [fire](./cli/pot_fire.md#option-heat)."),
}


@pytest.fixture(autouse=True, scope="module")
def small_theme() -> Iterator[None]:
    yield from use_small_theme()


@pytest.fixture(scope="module")
def pottery(tmp_path_factory: pytest.TempPathFactory, small_theme: None) -> SiteFolder:
    site = SiteFolder(tmp_path_factory.mktemp("commands") / "site", FILES, CONFIG)
    assert site.check() == []
    return site


def text_of(html: str) -> str:
    """Give the words of the article."""
    article = html[html.index("<article") : html.index("</article>")]
    return " ".join(re.sub(r"<[^>]+>", " ", article).split())


def test_each_command_has_its_page_in_the_folder(pottery: SiteFolder) -> None:
    assert pottery.payload("/cli/pot")["title"] == "pot"
    assert pottery.payload("/cli/pot_fire")["description"] == "Harden what has dried"


def test_sample_output_is_shown_as_a_session(pottery: SiteFolder) -> None:
    html = pottery.html("/cli/pot_fire")
    assert "Fired &lt;1&gt; cup" in html
    assert "Sample output" in html
    assert "Sample output" not in pottery.html("/cli/pot")


def test_one_file_may_hold_all_commands(make_site: MakeSite) -> None:
    files = FILES | {"pot.yaml": f"{POT}---\n{FIRE}"}
    site = make_site(files, CONFIG.replace('"commands"', '"pot.yaml"'))
    assert site.check() == []
    assert site.payload("/cli/pot_fire")["title"] == "pot fire"


def test_pages_stand_in_the_sidebar_of_their_folder(make_site: MakeSite) -> None:
    files = FILES | {"docs/cli/_category_.yaml": "label: Commands\nlink: { type: doc, id: pot }\n"}
    site = make_site(files, CONFIG)
    assert site.check() == []
    assert [crumb["label"] for crumb in site.payload("/cli/pot_fire")["breadcrumbs"]] == ["Commands", "pot fire"]


def test_generated_index_leads_to_the_commands(make_site: MakeSite) -> None:
    files = FILES | {
        "docs/cli/_category_.yaml": "label: Commands\ndescription: All of them\nlink: { type: doc, id: pot }\n",
        "docs/guides/_category_.yaml": "link: { type: generated-index, slug: /guides, also: [cli/pot] }\n",
        "docs/guides/kiln.md": page("Kiln"),
    }
    site = make_site(files, CONFIG)
    assert site.check() == []
    cards = re.findall(r'href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]+)', site.html("/guides").partition("card-list")[2])
    assert [card for card in cards if card[0] in ("/guides/kiln", "/cli/pot")][:2] == [
        ("/guides/kiln", "Kiln"),
        ("/cli/pot", "Commands"),
    ]
    site.build()
    assert (
        (site.out / "guides.md")
        .read_text()
        .endswith("- [Kiln](/guides/kiln): Text.\n- [Commands](/cli/pot): All of them\n")
    )


def test_index_names_a_document_that_does_not_exist(make_site: MakeSite) -> None:
    index = "label: Guides\nlink: { type: generated-index, also: [cli/pots] }\n"
    files = FILES | {"docs/guides/_category_.yaml": index, "docs/guides/kiln.md": page("Kiln")}
    expected = 'docs/guides/_category_.yaml:2:1: error: category "Guides": there is no document with the id "cli/pots".'
    assert make_site(files, CONFIG).check() == [f'{expected} Did you mean "cli/pot"? [sidebar]']


def test_page_says_all_that_the_data_says(pottery: SiteFolder) -> None:
    text = text_of(pottery.html("/cli/pot_fire"))
    expected = (
        "Heats the kiln.", "pot fire [flags] PIECE", "Alias: pot bake", "PIECE what to harden", "--heat , -H int Degrees",
        "of the kiln | oven . Default: 900 .", "--glaze strings Colors. One of red , blue .", "--verbose , -v Say more.",
        "Wait for an hour.", "pot fire --heat 1000 cup", "pot : Make things of clay",
    )  # fmt: skip
    assert [words for words in expected if words not in text] == []


def test_contents_list_the_parts(pottery: SiteFolder) -> None:
    labels = [entry["html"] for entry in pottery.payload("/cli/pot_fire")["toc"]]
    before = ["Usage", "Arguments", "Options", "Inherited options", "Notes", "Examples"]
    assert labels == [*before, "Sample output", "See also"]


def test_parent_and_children_link_to_each_other(pottery: SiteFolder) -> None:
    assert 'href="/cli/pot_fire"><code>pot fire</code></a>' in pottery.html("/cli/pot")
    assert 'href="/cli/pot"><code>pot</code></a>' in pottery.html("/cli/pot_fire")


def test_each_option_has_an_address_of_its_own(pottery: SiteFolder) -> None:
    anchors = re.findall(
        r'<a class="option" id="(option-[^"]*)" href="#(option-[^"]*)">', pottery.html("/cli/pot_fire")
    )
    assert anchors == [(name, name) for name in ("option-heat", "option-glaze", "option-verbose")]


def test_search_leads_to_the_option(pottery: SiteFolder) -> None:
    records = IndexReader(pottery.out / pottery.manifest().search).all_records()
    found = {record.content: (record.url, record.kind) for record in records if (record.content or "").startswith("--")}
    base = "http://localhost:3000/cli"
    assert found.pop("--verbose -v Say more")[1] == "command"
    assert found == {
        "--heat -H Degrees, of the kiln | oven": (f"{base}/pot_fire#option-heat", "command"),
        "--glaze Colors": (f"{base}/pot_fire#option-glaze", "command"),
    }


def test_file_of_the_author_takes_the_place_of_a_page(make_site: MakeSite) -> None:
    site = make_site(FILES | {"docs/cli/pot.mdx": page("Pot by hand")}, CONFIG)
    assert site.check() == []
    assert site.payload("/cli/pot")["title"] == "Pot by hand"


def test_rebuild_draws_only_what_its_data_changes(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    assert site.build().drawn == 0
    site.write({"commands/fire.yaml": FIRE.replace("Wait for an hour", "Wait for a day")})
    assert site.build().drawn == 1
    assert "Wait for a day" in site.html("/cli/pot_fire")


def test_texts_never_become_markup(make_site: MakeSite) -> None:
    tags = "<img src=x onerror=alert(1)> | <script>alert(1)</script>"
    hostile = f"{tags} [a](javascript:alert(1))"
    data = {"name": "pot", "synopsis": hostile, "description": tags, "usage": f"pot {hostile} ```"}
    data |= {"options": [{"name": "x", "usage": hostile, "default_value": hostile, "allowed": [hostile, "``"]}]}
    data |= {
        "arguments": [{"name": hostile, "usage": hostile}],
        "notes": [tags],
        "example": f"```\n{hostile}",
        "output": f"```\n{hostile}",
    }
    data |= {"see_also": [tags]}
    site = make_site({"commands/pot.yaml": json.dumps(data), **HOME}, CONFIG)
    assert site.check() == []
    html = site.html("/cli/pot")
    article = html[html.index("<article") : html.index("</article>")]
    assert re.findall(r"<(?:img|script)|javascript:[^<]*\"", article) == []
    assert article.count("onerror=alert(1)&gt;") >= 9


def test_link_that_would_run_a_script_is_an_error(make_site: MakeSite) -> None:
    files = FILES | {"commands/fire.yaml": FIRE.replace("(/guide)", "(javascript:alert)")}
    found = make_site(files, CONFIG).check()
    assert [(line.split(": ")[0], line[-13:]) for line in found] == [("commands/fire.yaml:1:1", "[unsafe-link]")]


BAD = {
    "no YAML": ("name: [", "commands/bad.yaml:1:1: error: This file of commands cannot be read: "),
    "an unknown key": ("name: pot\nsinopsis: x", 'commands/bad.yaml:2:1: error: "sinopsis" is not a setting. Did you mean "synopsis"? [commands]'),
    "a second document": ("name: pot\n---\nname: a b\noptions:\n  - usage: x", "commands/bad.yaml:5:5: error: options.name is missing; it must be given. [commands]"),
    "a name that leads out of the folder": ("name: ../../etc", 'commands/bad.yaml:1:1: error: "../../etc" is not a name of a command; expected words of letters, digits, "-", "_", "." and "+". [commands]'),
    "an option with dashes": ("name: pot\noptions: [{ name: --all }]", 'commands/bad.yaml:2:19: error: "--all" is not a name of an option; write it without dashes. [commands]'),
    "a name that is taken": ("name: pot\n---\nname: pot", 'commands/bad.yaml:3:1: error: "pot" is described already, at commands/bad.yaml:1. [commands]'),
    "nothing": ("", "commands:1:1: error: This file or folder describes no command. [commands]"),
    "a list": ("- name: pot", "commands/bad.yaml:1:1: error: "),
    "an alias in itself": ("&a { name: pot, notes: [*a] }", "commands/bad.yaml:1:1: error: "),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_data_is_named_with_its_place(case: str, make_site: MakeSite) -> None:
    data, expected = BAD[case]
    found = make_site({"commands/bad.yaml": data, **HOME}, CONFIG).check()
    assert [line[: len(expected)] for line in found] == [expected]


def test_missing_file_is_named(make_site: MakeSite) -> None:
    found = make_site({**HOME}, CONFIG).check()
    assert found == ["commands:1:1: error: This file of commands cannot be read: No such file or directory. [commands]"]


def test_broken_link_is_reported_where_the_command_stands(make_site: MakeSite) -> None:
    files = FILES | {"commands/fire.yaml": FIRE.replace("/guide", "/guid")}
    found = make_site(files, CONFIG).check()
    assert [line.split(": ")[0] for line in found] == ["commands/fire.yaml:1:1"]


def test_page_is_labelled_in_the_language_of_the_site(make_site: MakeSite) -> None:
    site = make_site(FILES, f'{CONFIG}[[locales]]\nid = "de"\nlabel = "Deutsch"\n')
    assert site.check() == []
    payload = site.payload("/cli/pot_fire")
    labels = ["Verwendung", "Argumente", "Optionen", "Geerbte Optionen", "Hinweise", "Beispiele", "Beispielausgabe"]
    assert [entry["html"] for entry in payload["toc"]] == [*labels, "Siehe auch"]
    # Links and search lead to the same places as in English.
    assert [entry["anchor"] for entry in payload["toc"]][:4] == ["usage", "arguments", "options", "inherited-options"]
    text = text_of(site.html("/cli/pot_fire"))
    expected = ("Alias: pot bake", "Argument Bedeutung", "Standard: 900 .", "Eines von red , blue .", "IDs, Ports")
    assert [words for words in expected if words not in text] == []


def test_description_may_have_a_part_named_like_ours(make_site: MakeSite) -> None:
    fire = FIRE.replace("See [drying]", "\n  ## Options\n\n  None.\n\n  See [drying]")
    site = make_site(FILES | {"commands/fire.yaml": fire}, CONFIG)
    assert site.check() == []
    assert [entry["anchor"] for entry in site.payload("/cli/pot_fire")["toc"]].count("options") == 1
