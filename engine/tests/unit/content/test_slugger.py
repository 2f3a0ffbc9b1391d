import pytest

from octavo.content import Slugger, slugify


def test_repeats_are_numbered_and_skip_what_is_taken():
    slugger = Slugger()
    texts = ["Hello World", "Hello World", "hello-world-1", "Hello World"]
    assert [slugger.slug(t) for t in texts] == ["hello-world", "hello-world-1", "hello-world-1-1", "hello-world-2"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("  Padded ", "--padded-"),
        ("C++ & C#", "c--c"),
        ("foo.bar()", "foobar"),
        ("a_b", "a_b"),
        ("Émile — dash", "émile--dash"),
        ("中文 标题", "中文-标题"),
        ("🚀 Launch", "-launch"),
        ("A/B testing", "ab-testing"),
        ("what's new?", "whats-new"),
        ("tab\tand\nnewline", "tabandnewline"),
        ("हिन्दी में", "हिन्दी-में"),
        ("x² and ½", "x-and-"),
        ("Ⓐ Ⅳ ‿", "ⓐ-ⅳ-‿"),
        ("١٢٣", "١٢٣"),
        ("", ""),
    ],
)
def test_slug_follows_the_rule_of_github_slugger(text: str, slug: str):
    assert slug == slugify(text)


def test_unique_keeps_case_and_is_known_afterwards():
    slugger = Slugger()
    assert [slugger.unique("MyId"), slugger.unique("MyId")] == ["MyId", "MyId-1"]
    assert slugger.has("MyId-1")
    assert not slugger.has("myid")


@pytest.mark.parametrize(
    ("style", "texts", "slugs"),
    [
        ("python-markdown", ["What's new?", "a  - b", "Über", "", "Same", "Same", "Same", "Same_1"],
         ["whats-new", "a-b", "uber", "_1", "same", "same_1", "same_2", "same_3"]),
        ("vitepress", ["What's new?", "1. First", "a_b — c", "Ünder", "Same", "Same"],
         ["what-s-new", "_1-first", "a-b-—-c", "under", "same", "same-1"]),
        ("gitbook", ["What's new？", "a_b - c", " d", "Émile — x"], ["whats-new？", "ab---c", "d", "émile-—-x"]),
        ("hugo", [" a_b  c! ", "हिन्दी", ""], ["a_b--c", "हनद", "section"]),
        ("github", ["1. First", "a  b", ""], ["1-first", "a--b", "section"]),
    ],
)  # fmt: skip
def test_headings_have_the_ids_of_their_engine(style: str, texts: list[str], slugs: list[str]):
    slugger = Slugger(style)
    assert [slugger.heading(text) for text in texts] == slugs


@pytest.mark.parametrize(
    ("style", "text", "slug"),
    [
        ("vitepress", "2.0 News!", "_2-0-news"),
        ("vitepress", "Ünïcode \x00Title", "unicode-title"),
        ("vitepress-cased", "2.0 News!", "_2-0-News-"),
        ("vitepress-cased", "New News", "New-News"),
    ],
)
def test_slug_follows_the_rule_of_vitepress(style: str, text: str, slug: str) -> None:
    assert Slugger(style).slug_of(text) == slug


def test_capitals_stay_where_a_site_of_docusaurus_keeps_them() -> None:
    assert Slugger("github-cased").slug_of("What is a Kite's Tail?") == "What-is-a-Kites-Tail"
    assert Slugger("github-cased").slug_of("Über Knoten") == "Über-Knoten"


def test_underscores_in_front_of_words_are_no_part_of_ids_of_mintlify() -> None:
    titles = ["_meta", "Hard limit: _foreign filters", "invalid_geo_field", "Plain title"]
    slugs = ["meta", "hard-limit-foreign-filters", "invalid_geo_field", "plain-title"]
    assert [Slugger("mintlify").slug_of(one) for one in titles] == slugs
