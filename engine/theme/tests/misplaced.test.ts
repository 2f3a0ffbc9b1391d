import { describe, expect, test } from "vitest";
import { findMisplaced } from "../src/misplaced";

describe("findMisplaced", () => {
  test.each([
    ["<p>a<div>b</div></p>", "<div> within <p>"],
    ["<p><span><ul></ul></span></p>", "<ul> within <p>"],
    ['<p title="a > b"><h2>b</h2></p>', "<h2> within <p>"],
    ["<p><!-- --><li>b</li></p>", "<li> within <p>"],
    ["<a href=\"x\"><span><a href='y'>b</a></span></a>", "<a> within <a>"],
    ["<button><b><button>x</button></b></button>", "<button> within <button>"],
    ["<form><div><form></form></div></form>", "<form> within <form>"],
    ["<h1><h2>x</h2></h1>", "<h2> within <h1>"],
    ["<ul><li>a<li>b</li></li></ul>", "<li> within <li>"],
    ["<ul><li><div><li>b</li></div></li></ul>", "<li> within <li>"],
    ["<dl><dt>a<dd>b</dd></dt></dl>", "<dd> within <dt>"],
    ["<table><tr><td>x</td></tr></table>", "<tr> within <table>"],
    ["<table><tbody><td>x</td></tbody></table>", "<td> within <tbody>"],
    ["<table><tbody><tr><td>x</td></tr> text</tbody></table>", "a text within <tbody>"],
    ["<table><div>x</div></table>", "<div> within <table>"],
    ["<div><tr><td>x</td></tr></div>", "<tr> within <div>"],
    ["<td>x</td>", "<td> without its table"],
    ["<script>if (a <b) </script><p><section></section></p>", "<section> within <p>"],
  ])("%s has %s", (html, found) => {
    expect(findMisplaced(html)).toBe(found);
  });

  test.each([
    "<div><p>a<br/><img src='x'><b>c</b></p><p>d</p></div>",
    "<p><button><div>allowed</div></button></p>",
    "<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>",
    "<dl><div><dt>a</dt><dd>b</dd></div><div><dt>c</dt><dd>d</dd></div></dl>",
    "<table><caption>t</caption><colgroup><col/></colgroup><thead><tr><th>a</th></tr></thead> <tbody><tr><td><p>x</p><div><a href='y'>z</a></div></td></tr></tbody></table>",
    "<p><svg viewBox='0 0 1 1'><title>a</title><path d='M0 0'/><g><a href='x'><text>p</text></a></g></svg></p><div></div>",
    "<svg><foreignObject><div><p>x</p></div></foreignObject></svg>",
    "<p><style>p > div { color: red }</style><script>'<div>'</script></p>",
    "<h2>a</h2><h3>b</h3><section><h2>c</h2></section>",
    "<p>\u0000C0\u0000</p><table>\u0000P1\u0000</table>",
    "<p>a < b</p><div>1</div>",
    "<a href='x'>a</a><a href='y'>b</a><p><span data-children=\"\">\u0000C0\u0000</span></p>",
    "",
  ])("%s is as browsers have it", (html) => {
    expect(findMisplaced(html)).toBe("");
  });
});
