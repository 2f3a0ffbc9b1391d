import { describe, expect, it } from "vitest";
import { parkStyles } from "../src/features/diagrams/parkedStyles";

describe("parked styles", () => {
  it.each([
    [`<p style="color: red">x</p>`, `<p data-style="color: red">x</p>`],
    [`<p id='a' STYLE = 'x' title="b">`, `<p id='a' data-style = 'x' title="b">`],
    [`<p title=" style=1" style="a">`, `<p title=" style=1" data-style="a">`],
    [`<g><rect style="" x="1"></rect></g>`, `<g><rect data-style="" x="1"></rect></g>`],
  ])("renames the attribute in %s", (html, parked) => {
    expect(parkStyles(html)).toBe(parked);
  });

  it.each([
    `a style="b"`,
    `1 < 2 style="b"`,
    `<p data-style="a">`,
    `<p stylesheet="a">`,
    `<p title="<b style='x'>">`,
    "flowchart LR\n  A --> B\n  style A fill:#f9f",
  ])("leaves %s as it is", (text) => {
    expect(parkStyles(text)).toBe(text);
  });
});
