"""Pages of Eleventy: data, includes, collections and images, in Liquid and in Nunjucks."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each

FILES = {
    "src/_data/": "site.json\nwind.txt\ndeep/",
    "src/_data/site.json": '{"name": "Kite", "colors": ["red", "blue"]}',
    "src/_includes/": "note.njk\nplain.md",
    "src/_includes/note.njk": "{# not shown #}Note: {{ text }} by {{ site.name }}",
    "src/_includes/plain.md": "Plain text",
    "src/guides/part.liquid": "Part beside the page",
    "src/guides/": "a.md\nb.md\nnear.png",
    "src/guides/a.md": "---\ntitle: A\ntags: [kites]\n---\n",
    "src/guides/b.md": "---\ntitle: B\ntags: [kites, other]\n---\n",
    "src/": "guides/\n_data/\n_includes/\nhome.svg",
    "src/guides/near.png": "",
}


def compiled(text: str, engine: str = "njk") -> Document:
    variables = {"eleventy.engine": engine, "eleventy.data": "src/_data", "eleventy.includes": "src/_includes"}
    dialect = Dialect(extensions=frozenset({"eleventy", "attr_list"}), variables=variables)
    options = ContentOptions(folders={"": dialect})
    return compile_document(text, source_path="src/guides/a.md", load=FILES.get, options=options)


@each(
    "text, shown",
    [
        ("{{ site.name }} in {{ site.colors[1] }}", "Kite in blue"),
        ("{# gone #}Fly", "Fly"),
        ("{% if site.name == 'Kite' %}yes{% else %}no{% endif %}", "yes"),
        ("{% for one in site.colors %}{{ one }} {% endfor %}", "red blue"),
        ("{% include 'note.njk' text='Fly' %}", "Note: Fly by Kite"),
        ("{% include 'plain' %}", "Plain text"),
        ("{% include './part' %}", "Part beside the page"),
        ("{% from 'macros.njk' import box %}Fly", "Fly"),
        ("{{ page.fileSlug }}", "a"),
        ("{% for one in collections.other %}{{ one.data.title }}{% endfor %}", "B"),
    ],
)
def test_templates_are_evaluated(text: str, shown: str) -> None:
    found = compiled(text)
    assert found.diagnostics == []
    assert f"<p>{shown}</p>" in found.body


def test_include_that_does_not_exist_is_a_finding() -> None:
    found = compiled("Fly {% include 'gone.njk' %} high")
    assert 'The file "gone.njk" of this include is not in "src/_includes"' in found.diagnostics[0].message
    assert found.diagnostics[0].span.column == 5
    assert "Fly" in found.body


@each(
    "tag, source, alt",
    [
        ("{% image 'near.png', 'A kite in the sky' %}", "./near.png", "A kite in the sky"),
        ("{% figure src='near.png' alt='A kite' sizes='(min-width: 3em) 2px' %}", "./near.png", "A kite"),
        ("{% picture 'https://example.org/k.PNG' %}", "https://example.org/k.PNG", ""),
    ],
)
def test_images_of_shortcodes_are_shown(tag: str, source: str, alt: str) -> None:
    found = compiled(tag)
    assert [asset.href for asset in found.assets if "://" not in source] == ([source] if "://" not in source else [])
    assert f'alt="{alt}"' in found.body


def test_comments_of_nunjucks_are_text_of_liquid() -> None:
    assert "{# shown #}" in compiled("{# shown #} {{ site.name }}", "liquid").body


def test_list_of_attributes_at_the_end_of_a_paragraph_belongs_to_it() -> None:
    assert '<p class="big">Fly</p>' in compiled("Fly {.big}\n").body
    assert "{.big}" in compiled("`Fly {.big}`\n").body
