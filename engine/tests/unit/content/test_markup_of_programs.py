"""Markup that programs and other engines write: elements in capitals, and classes of style sheets that pages import."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(text: str, *, is_mdx: bool = False) -> Document:
    options = ContentOptions(folders={"": Dialect(is_mdx=is_mdx)})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options)


def test_element_in_capitals_is_one_where_it_ends() -> None:
    body = compiled("<table><tr><td><B>[Required]</B> Vec<B> and <I>x</I></td></tr></table>\n").body
    assert "<b>[Required]</b> Vec&lt;B&gt; and <i>x</i>" in body


def test_class_of_a_style_sheet_is_no_finding() -> None:
    text = 'import styles from "@site/src/a.module.css"\n\n<span className={styles.a}>a</span> <b className={clsx("x", styles["b"])}>b</b>\n'
    document = compiled(text, is_mdx=True)
    assert "<span>a</span> <b>b</b>" in document.body
    assert [one for one in document.diagnostics if one.code == "expression"] == []
    others = compiled(f"{text}\n<i className={{other.a}} title={{styles.t}}>i</i>\n", is_mdx=True)
    assert [one.code for one in others.diagnostics if one.code == "expression"] == ["expression"] * 2
