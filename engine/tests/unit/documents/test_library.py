"""What is compiled anew, and what is taken over, when the files of a site change."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.documents import Compiler, Library, library
from octavo.revisions import STORE
from octavo.runtime import open_cache
from octavo.site import Source, find_sources
from tests.support.sites import MakeSite, SiteFolder, page

FILES: dict[str, str | bytes] = {
    "docs/a.md": page("A", "import Part from './_part.md'\n\n<Part />\n\n```py\nx = 1\n```"),
    "docs/b.md": page("B", "[gone](./gone.md)\n\n:::nothing\nText\n:::"),
    "docs/c.md": page("C"),
    "docs/_part.md": "Shared.\n",
}
VERSIONS = "".join(
    f'[[versions]]\nname = "{name}"\nlabel = "{name}"\npath = "{path}"\ndocs = "{STORE}/{name}"\n'
    for name, path in (("2", ""), ("1", "1"))
)


class Kept:
    """A library of a site, and what it compiles."""

    def __init__(self, site: SiteFolder, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site = site
        self.work = work
        self.compiled: list[str] = []
        self.library = Library(open_cache(work))
        compile_one = Compiler.compile

        def compile_noted(compiler: Compiler, source: Source, *rest: object) -> object:
            self.compiled.append(source.path)
            return compile_one(compiler, source, *rest)  # type: ignore[arg-type]  # handed on as they are

        monkeypatch.setattr(Compiler, "compile", compile_noted)

    def compiler(self) -> Compiler:
        return Compiler.of(self.site.root, load_config(self.site.root), {})

    def sources(self) -> list[Source]:
        return find_sources(self.site.root, load_config(self.site.root))

    def update(self, *changed: str) -> list[str]:
        """Follow changes of some files, or of any; gives what was compiled."""
        self.compiled.clear()
        self.library.update(self.sources(), self.compiler(), changed or None)
        return self.compiled

    def anew(self) -> None:
        """Begin again with what is in the cache."""
        self.library = Library(open_cache(self.work))

    def html(self, path: str) -> str:
        return self.library.load(self.library.summaries[path].body_key).html


@pytest.fixture
def kept(make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    return Kept(make_site(FILES), tmp_path / "work", monkeypatch)


@pytest.fixture
def few_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile summaries alone of more than one document."""
    monkeypatch.setattr(library, "_MOST_WHOLE", 1)


def test_first_update_compiles_all(kept: Kept) -> None:
    assert kept.update() == ["docs/a.md", "docs/b.md", "docs/c.md"]
    assert list(kept.library.summaries) == ["docs/a.md", "docs/b.md", "docs/c.md"]
    assert "Shared." in kept.html("docs/a.md")
    assert kept.library.taken_in == {"docs/_part.md"}
    assert [kept.library.knows(path) for path in ("docs/a.md", "docs/_part.md", "docs/d.md")] == [True, True, False]
    assert {one.span.path for one in kept.library.problems} == {"docs/b.md"}


def test_only_what_has_changed_is_compiled_again(kept: Kept) -> None:
    kept.update()
    assert kept.update() == []
    kept.site.write({"docs/c.md": page("C", "New.")})
    # What is not said to have changed is not looked at.
    assert kept.update("docs/b.md") == []
    assert kept.update("docs/c.md") == ["docs/c.md"]
    assert "New." in kept.html("docs/c.md")
    kept.site.write({"docs/_part.md": "Other.\n"})
    assert kept.update("docs/_part.md") == ["docs/a.md"]
    assert "Other." in kept.html("docs/a.md")
    kept.site.write({"docs/b.md": page("B", "Now.")})
    assert kept.update() == ["docs/b.md"]
    assert kept.library.problems == []


def test_other_settings_compile_all_again(kept: Kept) -> None:
    kept.update()
    kept.site.write({"octavo.toml": 'title = "Site"\n[markdown]\nextensions = ["math"]\n'})
    assert kept.update("docs/c.md") == ["docs/a.md", "docs/b.md", "docs/c.md"]


def test_documents_that_are_gone_are_forgotten(kept: Kept) -> None:
    kept.update()
    key = kept.library.summaries["docs/b.md"].body_key
    (kept.site.root / "docs/b.md").unlink()
    assert kept.update() == []
    assert list(kept.library.summaries) == ["docs/a.md", "docs/c.md"]
    assert kept.library.problems == []
    with pytest.raises(KeyError):
        kept.library.load(key)


def test_what_was_saved_is_not_compiled_again(kept: Kept) -> None:
    kept.update()
    expected = kept.html("docs/a.md")
    kept.library.save()
    kept.anew()
    assert kept.update() == []
    assert kept.html("docs/a.md") == expected
    assert kept.compiled == []
    kept.site.write({"docs/_part.md": "Other.\n"})
    kept.anew()
    assert kept.update() == ["docs/a.md"]


def test_what_the_cache_has_lost_is_compiled_again(kept: Kept) -> None:
    kept.update()
    kept.library.save()
    kept.anew()
    kept.update()
    open_cache(kept.work).clear()
    assert "Shared." in kept.html("docs/a.md")
    assert kept.compiled == ["docs/a.md"]


def test_file_that_cannot_be_read_is_a_finding(kept: Kept) -> None:
    sources = kept.sources()
    (kept.site.root / "docs/b.md").unlink()
    (kept.site.root / "docs/c.md").unlink()
    (kept.site.root / "docs/c.md").mkdir()
    kept.library.update(sources, kept.compiler())
    assert [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}" for one in kept.library.problems] == [
        "docs/b.md:1:1 error unreadable: This file vanished during the build. Build again.",
        "docs/c.md:1:1 error unreadable: This file cannot be read: Is a directory. Make it readable, or remove it.",
    ]
    assert list(kept.library.summaries) == ["docs/a.md"]


def test_edit_compiles_what_it_touches(kept: Kept) -> None:
    kept.update()
    kept.compiled.clear()
    assert kept.library.recompile({"docs/a.md", "docs/c.md"}) == {}
    kept.site.write({"docs/c.md": page("See", "New."), "docs/_part.md": "Other.\n"})
    found = kept.library.recompile({"docs/c.md", "docs/_part.md"})
    assert found is not None
    assert {path: summary.front_matter.title for path, summary in found.items()} == {
        "docs/a.md": "A",
        "docs/c.md": "See",
    }
    assert kept.compiled == ["docs/a.md", "docs/c.md"]
    assert "New." in kept.html("docs/c.md")
    (kept.site.root / "docs/b.md").unlink()
    assert kept.library.recompile({"docs/b.md"}) is None


@pytest.mark.usefixtures("few_whole")
class TestSummaries:
    def test_bodies_are_made_when_they_are_asked_for(self, kept: Kept) -> None:
        assert kept.update() == ["docs/a.md", "docs/b.md", "docs/c.md"]
        assert "Shared." in kept.html("docs/a.md")
        assert kept.compiled[3:] == ["docs/a.md"]
        assert "Shared." in kept.html("docs/a.md")
        assert len(list(kept.library.complete_all())) == 2
        assert kept.compiled[4:] == ["docs/b.md", "docs/c.md"]
        assert list(kept.library.complete_all()) == []

    def test_page_that_has_just_been_saved_is_shown_as_it_is(self, kept: Kept) -> None:
        kept.update()
        summary = kept.library.summaries["docs/c.md"]
        kept.site.write({"docs/c.md": page("See", "New.")})
        assert "New." in kept.html("docs/c.md")
        assert kept.library.summaries["docs/c.md"] is summary
        assert len(list(kept.library.complete_all())) == 3
        assert kept.update("docs/c.md") == ["docs/c.md"]

    def test_compiler_is_brought_into_memory_between_edits(self, kept: Kept) -> None:
        kept.update()
        kept.library.save()
        kept.anew()
        kept.update()
        kept.compiled.clear()
        assert len(list(kept.library.settle())) == 1
        assert kept.compiled == ["docs/a.md"]
        assert list(kept.library.settle()) == []


def test_many_documents_that_are_not_stored_are_stored_between_edits(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_FEW_UNSAVED", 3)
    kept.update()
    assert len(list(kept.library.settle())) == 1
    assert list(kept.library.settle()) == []
    kept.library.save()
    kept.anew()
    assert kept.update() == []


def test_documents_of_two_versions_are_compiled_once(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = (f"{STORE}/{name}" for name in ("2", "1"))
    files = {name.replace("docs/", f"{root}/"): text for root in (new, old) for name, text in FILES.items()}
    kept = Kept(make_site(files, VERSIONS), tmp_path / "work", monkeypatch)
    monkeypatch.setattr(library, "_MOST_WHOLE", 1)
    assert kept.update() == [f"{new}/{name}.md" for name in "abc"]
    assert list(kept.library.summaries) == [f"{root}/{name}.md" for root in (new, old) for name in "abc"]
    summaries = kept.library.summaries
    assert summaries[f"{new}/a.md"].body_key == summaries[f"{old}/a.md"].body_key
    assert [str(link.span) for link in summaries[f"{old}/b.md"].links] == [f"{old}/b.md:5:1"]
    assert kept.library.taken_in == {f"{new}/_part.md", f"{old}/_part.md"}
    # A part that differs makes documents of their own.
    kept.site.write({f"{old}/_part.md": "Older.\n"})
    assert kept.update(f"{old}/_part.md") == [f"{old}/a.md"]
    assert "Older." in kept.html(f"{old}/a.md")
    assert "Shared." in kept.html(f"{new}/a.md")
    # The body that both had is found by the one that still has it.
    kept.site.write({f"{new}/c.md": page("C", "New.")})
    key = summaries[f"{old}/c.md"].body_key
    assert list(kept.library.recompile({f"{new}/c.md"}) or {}) == [f"{new}/c.md"]
    assert "Text." in kept.library.load(key).html
    assert "New." in kept.html(f"{new}/c.md")


def test_build_stores_everything(kept: Kept) -> None:
    said: list[tuple[str, int, int]] = []
    prepared: list[int] = []
    kept.library.build(
        kept.sources(),
        kept.compiler(),
        report=lambda what, done, total: said.append((what, done, total)),
        prepare=prepared.append,
    )
    assert (prepared, said[0], said[-1]) == ([3], ("compile", 0, 3), ("compile", 3, 3))
    assert "Shared." in kept.html("docs/a.md")
    kept.anew()
    kept.compiled.clear()
    said.clear()
    kept.library.build(kept.sources(), kept.compiler(), report=lambda *one: said.append(one), prepare=prepared.append)
    assert (prepared, kept.compiled) == ([3, 0], [])
    assert "Shared." in kept.html("docs/a.md")


def test_library_that_was_never_updated_has_no_documents(kept: Kept) -> None:
    assert kept.library.summaries == {}
    with pytest.raises(RuntimeError, match="before its first update"):
        kept.library.recompile({"docs/a.md"})
