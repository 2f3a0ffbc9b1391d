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
