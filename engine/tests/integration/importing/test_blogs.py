"""Blogs of other engines become blogs here: lists, dates, authors, tags, and the addresses that they had."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write


def build(site_dir: Path, files: dict[str, str]) -> tuple[Path, list[str]]:
    import_site(write(site_dir, files))
    built = build_site(site_dir, site_dir.parent / "out", has_search=False)
    return site_dir.parent / "out", [f"{one.code} {one.span.path}" for one in built.diagnostics]


def test_blog_of_docusaurus_keeps_its_addresses_and_gets_lists(tmp_path: Path) -> None:
    out, findings = build(
        tmp_path / "site",
        {
            "docusaurus.config.js": 'module.exports = { title: "Kite", url: "https://kite.example", presets: [["classic", { blog: { blogTitle: "News", postsPerPage: 1 } }]] };\n',
            "docs/index.md": "---\nslug: /\n---\n\n# Kite\n",
            "blog/authors.yml": "ada:\n  name: Ada Lovelace\n  title: Countess\n  url: https://ada.example\n  image_url: /img/ada.svg\n",
            "static/img/ada.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>',
            "blog/2024-02-03-first.md": "---\nauthors: ada\ntags: [wind]\n---\n\n# First\n\nAbove.\n\n<!-- truncate -->\n\nBelow.\n",
            "blog/2024-03-04-second/index.md": "---\nslug: two\ntitle: Second\nauthors: [{name: Grace, title: Admiral, image_url: 'https://pictures.example/grace.png'}]\n---\n\nText.\n",
        },
    )
    assert findings == []
    html = (out / "blog/2024/02/03/first/index.html").read_text(encoding="utf-8")
    post = text_of(html)
    assert "1 min read" in post
    assert "Ada Lovelace Countess" in post
    assert 'class="byline-picture" src="/img/ada.svg"' in html
    two = (out / "blog/two/index.html").read_text(encoding="utf-8")
    assert "Grace Admiral" in text_of(two)
    assert 'class="byline-picture" src="https://pictures.example/grace.png"' in two
    assert 'datetime="2024-02-03"' in html
    first, second = (
        text_of((out / name).read_text(encoding="utf-8")) for name in ("blog/index.html", "blog/page/2/index.html")
    )
    assert "Second" in first
    assert "Above." in second
    assert "Below." not in second
    assert "First" in text_of((out / "blog/tags/wind/index.html").read_text(encoding="utf-8"))
    assert (out / "blog/two/index.html").is_file()
    assert "<title>First</title>" in (out / "blog/feed.xml").read_text(encoding="utf-8")


def test_blog_of_material_for_mkdocs_keeps_its_addresses_and_gets_lists(tmp_path: Path) -> None:
    out, findings = build(
        tmp_path / "site",
        {
            "mkdocs.yml": 'site_name: Kite\nsite_url: https://kite.example/\ntheme: {name: material}\nplugins:\n  - blog:\n      post_url_format: "{date}/{slug}"\nnav:\n  - index.md\n  - Blog: [blog/index.md]\n',
            "docs/index.md": "# Kite\n",
            "docs/blog/index.md": "# News\n",
            "docs/blog/.authors.yml": "authors:\n  ada:\n    name: Ada Lovelace\n    description: Author\n    avatar: assets/ada.svg\n",
            "docs/assets/ada.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>',
            "docs/blog/posts/a.md": "---\ndate: 2024-02-03\nauthors: [ada]\ntags: [wind]\n---\n\n# A & b\n\nAbove.\n\n<!-- more -->\n\nBelow.\n",
            "docs/blog/posts/b.md": "---\ndate:\n  created: 2024-03-04\nslug: two\n---\n\n# Second\n\nText.\n",
        },
    )
    assert findings == []
    html = (out / "blog/2024/02/03/a--b/index.html").read_text(encoding="utf-8")
    assert "Ada Lovelace Author" in text_of(html)
    assert 'class="byline-picture" src="/_octavo/files/ada' in html
    assert "1 min read" in text_of(html)
    shown = text_of((out / "blog/index.html").read_text(encoding="utf-8"))
    assert shown.index("Second") < shown.index("A &")

    assert "Below." not in shown
    assert (out / "blog/2024/03/04/two/index.html").is_file()


def test_text_of_the_first_page_of_a_blog_of_material_comes_before_its_list(tmp_path: Path) -> None:
    config = "site_name: Kite\nsite_url: https://kite.example/\ntheme: {name: material}\nplugins:\n  - blog:\n      pagination_per_page: 1\n"
    out, findings = build(
        tmp_path / "site",
        {
            "mkdocs.yml": f"{config}markdown_extensions: [admonition]\n",
            "docs/index.md": "# Kite\n\n[News](blog/index.md)\n",
            "docs/blog/index.md": "---\nhide: [navigation]\n---\n\n# What is new\n\n!!! note\n    Read *on*, or [go home](../index.md).\n\n## Latest\n",
            "docs/blog/posts/a.md": "---\ndate: 2024-02-03\n---\n\n# First\n\nAbove.\n",
            "docs/blog/posts/b.md": "---\ndate: 2024-02-04\n---\n\n# Second\n\nText.\n",
        },
    )
    assert findings == []
    html = (out / "blog/index.html").read_text(encoding="utf-8").partition("<article")[2]
    shown = text_of(html)
    places = [shown.index(one) for one in ("What is new", "Read on", "Latest", "Second")]
    assert places == sorted(places)
    assert 'href="/"' in html[html.index("Read") :]
    assert "Read on" not in text_of((out / "blog/page/2/index.html").read_text(encoding="utf-8"))


def test_lists_of_a_blog_of_docusaurus_that_have_other_addresses_here_lead_on(tmp_path: Path) -> None:
    posts = {
        f"blog/2024-02-0{day}-post.md": f"---\ntags: [KubeCon, GitHub Actions, 100th, wind, {{label: Sea, permalink: /ocean}}]\n---\n\n# Post {day}\n\nText.\n"
        for day in (1, 2, 3)
    }
    config = 'module.exports = { title: "Kite", url: "https://kite.example", presets: [["classic", { blog: { postsPerPage: 2 } }]] };\n'
    out, findings = build(
        tmp_path / "site",
        {"docusaurus.config.js": config, "docs/index.md": "---\nslug: /\n---\n\n# Kite\n", **posts},
    )
    assert findings == []
    for old, new in (
        ("tags/kube-con", "tags/kubecon"),
        ("tags/kube-con/page/2", "tags/kubecon"),
        ("tags/git-hub-actions", "tags/github-actions"),
        ("tags/wind/page/2", "tags/wind"),
        ("tags/ocean", "tags/sea"),
        ("archive", ""),
    ):
        html = (out / "blog" / old / "index.html").read_text(encoding="utf-8")
        assert f"url=/{f'blog/{new}'.rstrip('/')}" in html.replace('/"', '"')
    assert "Post 1" in text_of((out / "blog/tags/100th/index.html").read_text(encoding="utf-8"))


def test_lists_of_a_blog_at_the_root_lead_to_the_root(tmp_path: Path) -> None:
    options = '{ docs: false, blog: { routeBasePath: "/" } }'
    config = f'module.exports = {{ title: "Kite", url: "https://kite.example", trailingSlash: true, presets: [["classic", {options}]] }};\n'
    post = "---\ntags: [KubeCon]\n---\n\n# Post\n\nText.\n"
    out, findings = build(tmp_path / "site", {"docusaurus.config.js": config, "blog/2024-02-01-post.md": post})
    assert findings == []
    assert 'url=/"' in (out / "archive/index.html").read_text(encoding="utf-8")
    assert 'url=/tags/kubecon/"' in (out / "tags/kube-con/index.html").read_text(encoding="utf-8")


def test_categories_and_years_of_a_blog_of_material_for_mkdocs_lead_to_its_list(tmp_path: Path) -> None:
    posts = {
        f"docs/blog/posts/{name}.md": f"---\ndate: 2024-02-0{day}\ncategories: [LLM Techniques]\n---\n\n{text}"
        for day, (name, text) in enumerate(
            {"a_kite": "## Fly\n\n```sh\n# Not a title\n```\n", "b": "# Two\n\nText.\n"}.items(), 1
        )
    }
    config = "site_name: Kite\nsite_url: https://kite.example/\ntheme: {name: material}\nplugins:\n  - blog:\n      pagination_per_page: 1\n"
    out, _ = build(
        tmp_path / "site",
        {"mkdocs.yml": config, "docs/index.md": "# Kite\n", "docs/blog/index.md": "# News\n", **posts},
    )
    assert (out / "blog/2024/02/01/a-kite/index.html").is_file()
    for old in ("category/llm-techniques", "category/llm-techniques/page/2", "archive/2024", "archive/2024/page/2"):
        assert 'url=/blog/"' in (out / "blog" / old / "index.html").read_text(encoding="utf-8")


def test_folder_of_dated_posts_of_hugo_is_a_blog(tmp_path: Path) -> None:
    out, findings = build(
        tmp_path / "site",
        {
            "hugo.toml": 'title = "Kite"\nbaseURL = "https://kite.example/"\n',
            "content/_index.md": "---\ntitle: Kite\n---\n\nKite flies.\n",
            "content/blog/_index.md": "---\ntitle: The kite blog\n---\n",
            "content/blog/one.md": "---\ntitle: One\ndate: 2024-02-03T06:00:00+04:00\nauthor:\n  name: Ada Lovelace\n---\n\nFirst text.\n",
            "content/blog/two.md": "+++\ntitle = 'Two'\ndate = 2024-03-04\ntags = ['wind']\n+++\n\nSecond text.\n",
        },
    )
    assert findings == []
    shown = text_of((out / "blog/index.html").read_text(encoding="utf-8"))
    assert shown.index("Two") < shown.index("First text.")
    assert "The kite blog" in shown
    assert "Ada Lovelace" in text_of((out / "blog/one/index.html").read_text(encoding="utf-8"))
    assert "Two" in text_of((out / "blog/tags/wind/index.html").read_text(encoding="utf-8"))


def test_folder_of_dated_posts_of_vuepress_is_a_blog_with_the_text_of_its_first_page(tmp_path: Path) -> None:
    words = "word " * 30
    out, findings = build(
        tmp_path / "site",
        {
            ".vuepress/config.js": 'export default { title: "Kite" }\n',
            "README.md": "# Kite\n\n[Posts](/blog/one.html)\n",
            "blog/README.md": f"# Kite blog\n\n{words}\n",
            "blog/2024-02-03-one.md": "---\nauthor: Ada\nexcerpt: What it says.\n---\n\n# One\n\nText.\n",
            "news/README.md": "# Kite news\n\n<script setup>\nimport posts from './posts.data'\n</script>\n\n<PostList :posts='posts' />\n",
            "news/two.md": "---\ndate: 2024-03-04\nauthors:\n  - name: Grace\n    url: https://grace.example\n---\n\n# Two\n\nText of two.\n",
            "guide/post.md": "# Not a blog\n",
        },
    )
    assert not [one for one in findings if "front-matter" in one]
    assert "word word" in text_of((out / "blog/index.html").read_text(encoding="utf-8"))
    assert "What it says." in text_of((out / "blog/authors/ada.html").read_text(encoding="utf-8"))
    news = (out / "news/index.html").read_text(encoding="utf-8")
    assert "Text of two." in text_of(news)
    assert "https://grace.example" in (out / "news/authors/grace.html").read_text(encoding="utf-8")


def test_plugin_that_wraps_the_blog_of_docusaurus_is_one(tmp_path: Path) -> None:
    out, findings = build(
        tmp_path / "site",
        {
            "docusaurus.config.js": 'module.exports = { title: "Kite", presets: [["classic", { blog: false }]], plugins: [["./src/plugins/blog.js", { blogTitle: "News" }]] };\n',
            "src/plugins/blog.js": "const blog = require('@docusaurus/plugin-content-blog');\nmodule.exports = { ...blog };\n",
            "docs/index.md": "---\nslug: /\n---\n\n# Kite\n",
            "blog/2024-02-03-first.md": "# First\n\nText.\n",
        },
    )
    assert findings == []
    assert (out / "blog/2024/02/03/first/index.html").is_file()


def test_authors_that_are_links_have_their_names_and_addresses(tmp_path: Path) -> None:
    out, findings = build(
        tmp_path / "site",
        {
            "hugo.toml": 'baseURL = "https://kite.example/"\ntitle = "Kite"\ntheme = "docsy"\n',
            "content/_index.md": "---\ntitle: Kite\n---\n\nText.\n",
            "content/blog/one.md": "---\ntitle: One\ndate: 2024-02-03\nauthor: '[Ada Lovelace](https://ada.example) and [Grace](https://grace.example/a)'\n---\n\nFirst.\n",
            "content/blog/two.md": "---\ntitle: Two\ndate: 2024-02-04\nauthor: '[Ann](https://ann.example) (Kite Works)'\n---\n\nSecond.\n",
        },
    )
    assert not [one for one in findings if "front-matter" in one]
    assert "](" not in text_of((out / "blog/one/index.html").read_text(encoding="utf-8"))
    assert "Ada Lovelace Grace" in text_of((out / "blog/one/index.html").read_text(encoding="utf-8"))
    assert "https://ada.example" in (out / "blog/authors/ada-lovelace/index.html").read_text(encoding="utf-8")
    assert "https://grace.example/a" in (out / "blog/authors/grace/index.html").read_text(encoding="utf-8")
    assert "Ann (Kite Works)" in text_of((out / "blog/two/index.html").read_text(encoding="utf-8"))
    assert "https://ann.example" in (out / "blog/authors/ann-kite-works/index.html").read_text(encoding="utf-8")
    assert "](" not in text_of((out / "blog/index.html").read_text(encoding="utf-8"))


def test_address_of_an_author_that_no_page_shows_is_a_finding(tmp_path: Path) -> None:
    _, findings = build(
        tmp_path / "site",
        {
            "hugo.toml": 'baseURL = "https://kite.example/"\ntitle = "Kite"\n',
            "content/_index.md": "---\ntitle: Kite\n---\n\nText.\n",
            "content/blog/one.md": "---\ntitle: One\ndate: 2024-02-03\nauthor: '[Ada](https://ada.example), [Bo](https://bo.example) (Kite)'\n---\n\nFirst.\n",
        },
    )
    assert findings == ["front-matter content/blog/one.md"] * 2


def test_authors_of_a_blog_of_hugo_may_have_links_and_positions(tmp_path: Path) -> None:
    author = "author:\n  name: Ada\n  link: https://ada.example\n  position: '[Kites](https://kites.example)'\n  guest: true\n"
    other = "author:\n  name: Bob\n  position: '[Ropes](https://ropes.example)'\n  blurb: 'First [seen](https://seen.example).'\n"
    files = {
        "hugo.toml": 'title = "Kite"\nbaseURL = "https://kite.example/"\n',
        "content/_index.md": "---\ntitle: Kite\n---\n\nText.\n",
        "content/blog/a.md": f"---\ntitle: A\ndate: 2024-02-03\n{author}---\n\nText.\n",
        "content/blog/b.md": f"---\ntitle: B\ndate: 2024-02-04\n{other}---\n\nText.\n",
    }
    import_site(write(tmp_path / "site", files))
    built = build_site(tmp_path / "site", tmp_path / "out", has_search=False)
    assert [one.message for one in built.diagnostics if one.code == "front-matter"] == [
        'What the author "Bob" has as blurb is left out.'
    ]
    post, page = (
        (tmp_path / "out/blog" / name / "index.html").read_text(encoding="utf-8") for name in ("a", "authors/ada")
    )
    assert "Ada Kites" in text_of(post)
    assert 'href="https://ada.example' in page
    assert 'href="https://ropes.example' in (tmp_path / "out/blog/authors/bob/index.html").read_text(encoding="utf-8")
