import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Brand } from "../src/ui/Brand";

it.each([
  ["Kiln", "Kiln", ""],
  ["Kiln", " kiln ", ""],
  ["Kiln", "A kiln", "A kiln"],
  ["", "Kiln", "Kiln"],
])("beside the name %j a logo that says %j is read as %j", (title, alt, read) => {
  const logo = { src: "/a.svg", srcDark: "/b.svg", alt, href: "/", width: null, height: null };
  const html = renderToStaticMarkup(createElement(Brand, { title, logo, home: "/" }));
  expect([...html.matchAll(/alt="([^"]*)"/g)].map(([, found]) => found)).toEqual([read, read]);
});
