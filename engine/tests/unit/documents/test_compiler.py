"""What documents are compiled with: options by folder, language and release, and what compiles which source."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from octavo.config import Config, Version, load_config
from octavo.content import Document
from octavo.documents import Compiler, Files
from octavo.revisions import STORE
from octavo.site import Source
from tests.support.each import each
from tests.support.sites import MakeSite, SiteFolder, page

RELEASE = f"{STORE}/one"


def compiler(site: SiteFolder, config: Config | None = None) -> Compiler:
    return Compiler.of(site.root, config or load_config(site.root), {})


def text_of(document: Document) -> str:
    return re.sub("<[^>]*>", "", document.body).strip()


def released(site: SiteFolder, docs: str = "docs") -> Config:
    """Give the settings with a version from version control beside that of the files at hand."""
    versions = [
        Version(name="next", label="Next", docs=docs),
        Version(name="1", label="1", path="1", docs=f"{RELEASE}/{docs}"),
    ]
    return msgspec.structs.replace(load_config(site.root), versions=versions)


# Sources


def test_each_kind_of_source_has_its_compiler(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": "# From the file\n"})
    files = Files(site.root)
    sources = [
        Source("docs/b.md", "docs", is_page=False, data=b"# Of an extension\n", maker="extension"),
        Source("docs/c.md", "docs", is_page=False, data=b"# Of a blog\n", maker="blog"),
        Source("docs/d.md", "docs", is_page=False, data=b"# Of changes\n", maker="changes"),
    ]
    made = {one.path: compiler(site).compile(one, files, {}) for one in sources}
    assert {path: text_of(document) for path, document in made.items()} == {
        "docs/b.md": "Of an extension",
        "docs/c.md": "Of a blog",
        "docs/d.md": "Of changes",
    }
    assert text_of(compiler(site).compile(Source("docs/a.md", "docs", is_page=False), files, {})) == "From the file"


def test_key_of_a_source_is_that_of_what_is_compiled(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": "# A\n", "docs/b.md": "# A\n"})
    one = compiler(site)
    keys = {
        one.source_key(Source("docs/a.md", "docs", is_page=False)),
        one.source_key(Source("docs/b.md", "docs", is_page=False)),
        one.source_key(Source("docs/a.md", "docs", is_page=False, data=b"# B\n")),
        one.source_key(Source("docs/c.md", "docs", is_page=False, data=b"# B\n")),
        one.with_stubs(["Chart"]).source_key(Source("docs/a.md", "docs", is_page=False)),
    }
    assert len(keys) == 5
    assert one.source_key(Source("docs/a.md", "docs", is_page=False)) in keys
    with pytest.raises(OSError, match="No such file"):
        one.source_key(Source("docs/gone.md", "docs", is_page=False))


def test_stubs_can_be_added(make_site: MakeSite) -> None:
    site = make_site(
        {"components/Old.mdx": '---\nstub: "x"\n---\n', "components/Own.mdx": "Own\n", "components/low.mdx": "x\n"}
    )
    one = compiler(site)
    assert [sorted(one.options.components), sorted(one.options.stubs)] == [["Old", "Own"], ["Old"]]
    more = one.with_stubs(["Chart"])
    assert [sorted(more.options.components), sorted(more.options.stubs)] == [["Chart", "Old", "Own"], ["Chart", "Old"]]
    assert more.key != one.key
    assert compiler(site).key == one.key


def test_typed_text_reads_components_of_the_site_and_no_other_file(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A"),
        "docs/_secret.md": "Secret\n",
        "components/Own.mdx": "Shared words\n",
        "components/_other.mdx": "Secret\n",
    }
    one = compiler(make_site(files, '[markdown]\ndialect = "mdx"\n'))
    text = "---\ntitle: Typed\n---\nimport S from './_secret.md'\nimport O from '../components/_other.mdx'\n\n<S />\n\n<O />\n\n<Own />\n"
    document = one.compile_typed("docs/a.md", text)
    assert document.front_matter.title == "Typed"
    assert "Secret" not in document.body
    assert "Shared words" in document.body
    assert [one.code for one in document.diagnostics] == ["missing-partial"] * 2


# Names of files


def test_files_are_listed_by_name_where_a_folder_is_a_vault(make_site: MakeSite) -> None:
    files = {
        "docs/B/Note.md": "b", "docs/a/note.md": "a", "docs/note.MD": "x", "docs/deep/er/note.md": "d",
        "docs/.hidden/note.md": "h", "docs/node_modules/note.md": "n", "build/note.md": "o", "pic.png": "p",
    }  # fmt: skip
    site = make_site(files, '[markdown]\nextensions = ["obsidian"]\n')
    names = compiler(site).options.names
    # The nearest to the site's folder first.
    assert names["note.md"] == ["docs/note.MD", "docs/B/Note.md", "docs/a/note.md", "docs/deep/er/note.md"]
    assert names["pic.png"] == ["pic.png"]
    site.write({"octavo.toml": 'title = "T"\n'})
    assert compiler(site).options.names == {}
    assert compiler(site).options.names_in_releases == {}


def test_files_of_a_release_are_listed_by_themselves(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": "a",
        f"{RELEASE}/docs/a.md": "a",
        f"{RELEASE}/docs/in/B.md": "b",
        f"{RELEASE}/other/c.md": "c",
    }
    site = make_site(files, '[markdown]\nextensions = ["obsidian"]\n')
    options = compiler(site, released(site)).options
    assert list(options.names_in_releases.values()) == [
        {"a.md": [f"{RELEASE}/docs/a.md"], "b.md": [f"{RELEASE}/docs/in/B.md"]}
    ]
    assert options.names["a.md"] == ["docs/a.md"]


# Dialects and terms of releases


def test_folders_of_a_release_have_the_dialects_of_today(make_site: MakeSite) -> None:
    settings = (
        '[markdown."manual"]\ndialect = "mdx"\nsnippets = ["manual/parts", "lib"]\n'
        '[markdown."manual/in"]\nextensions = ["obsidian"]\n[markdown."manuals"]\ndialect = "mdx"\n'
    )
    site = make_site({"manual/a.md": page("A")}, f'docs = "manual"\n{settings}')
    folders = compiler(site, released(site, "manual")).options.folders
    assert set(folders) == {"manual", "manual/in", "manuals", f"{RELEASE}/manual", f"{RELEASE}/manual/in"}
    assert folders[f"{RELEASE}/manual"].is_mdx
    assert folders[f"{RELEASE}/manual/in"].extensions == {"obsidian"}
    # What the release had comes before what there is now.
    assert folders[f"{RELEASE}/manual"].snippet_folders == (f"{RELEASE}/manual/parts", "manual/parts", "lib")


def test_release_whose_dialect_is_that_of_all_documents_has_no_entry(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A")}, '[markdown]\ndialect = "mdx"\n')
    assert set(compiler(site, released(site)).options.folders) == {""}
    own = make_site({"docs/a.md": page("A")}, '[markdown]\nsnippets = ["docs/parts"]\n', name="own")
    folders = compiler(own, released(own)).options.folders
    assert folders[f"{RELEASE}/docs"].snippet_folders == (f"{RELEASE}/docs/parts", "docs/parts")


def test_terms_of_a_folder_hold_in_releases_too(make_site: MakeSite) -> None:
    terms = '[kiln]\ndefinition = "An oven"\nfolders = ["docs/clay", "docs", "other"]\n[glaze]\ndefinition = "A skin"\n'
    site = make_site({"docs/a.md": page("A"), "terms.toml": f'pot = "A vessel"\n{terms}'}, 'glossary = "terms.toml"\n')
    glossary = compiler(site, released(site)).options.glossary
    assert {word: getattr(term, "folders", term) for word, term in glossary.items()} == {
        "pot": "A vessel",
        "kiln": ["docs/clay", "docs", "other", f"{RELEASE}/docs/clay", f"{RELEASE}/docs"],
        "glaze": [],
    }
    assert compiler(site).options.glossary_file == "terms.toml"


# Words of languages


LOCALES = (
    '[[locales]]\nid = "en"\nlabel = "English"\n'
    '[[locales]]\nid = "de"\nlabel = "Deutsch"\npath = "de"\n{0}\n'
)  # fmt: skip


@each(
    "place, words, suffixes, originals",
    [
        ('docs = "de"', {"de/docs", "de/pages"}, set(), {"de/docs": "docs", "de/pages": "pages"}),
        ('suffix = "de"', set(), {"de"}, {}),
    ],
)
def test_folders_of_a_language_have_its_words(
    make_site: MakeSite, place: str, words: set[str], suffixes: set[str], originals: dict[str, str]
) -> None:
    site = make_site({"docs/a.md": page("A")}, LOCALES.format(place), name=place.partition(" ")[0])
    options = compiler(site).options
    assert {folder for folder in options.words if folder} == words
    assert set(options.suffix_words) == suffixes
    assert options.originals == originals
    german = options.words["de/docs"] if words else options.suffix_words["de"]
    assert german["admonition.warning"] == "Warnung"
    # Words of the search dialog are no reason to compile anything again.
    assert not any(key.startswith("search.") for key in german)


def test_folders_in_english_have_words_where_the_site_is_in_another_language(make_site: MakeSite) -> None:
    settings = '[[locales]]\nid = "de"\nlabel = "Deutsch"\n[[locales]]\nid = "en"\nlabel = "English"\npath = "en"\ndocs = "en"\n'
    options = compiler(make_site({"docs/a.md": page("A")}, settings)).options
    assert {folder: words["admonition.warning"] for folder, words in options.words.items()} == {
        "": "Warnung", "en/docs": "Warning", "en/pages": "Warning",
    }  # fmt: skip


# Posts


def test_posts_lie_in_the_folders_of_all_languages_and_versions(make_site: MakeSite, tmp_path: Path) -> None:
    settings = (
        '[[blogs]]\nfolder = "news"\nwords_per_minute = 100\n[blogs.authors.ann]\nname = "Ann"\ntitle = "Potter"\n'
        + LOCALES.format('docs = "de"')
    )
    site = make_site({"docs/a.md": page("A")}, settings)
    posts = compiler(site, released(site)).options.posts
    assert [(one.folder, one.words_per_minute) for one in posts] == [
        ("docs/news", 100), (f"{RELEASE}/docs/news", 100), ("de/docs/news", 100), (f"de/{RELEASE}/docs/news", 100),
    ]  # fmt: skip
    ann = posts[0].authors["ann"]
    assert (ann.name, ann.url, ann.title, ann.picture) == ("Ann", "", "Potter", "")
