/// <reference types="vite/client" />
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { BrandIcon, Icon, isBrandIcon } from "../src/ui/Icon";
import { BRAND_PICTURES, PICTURES, type BrandName, type PictureName } from "../src/ui/pictures";

const STYLES = import.meta.glob<string>("../src/**/*.css", { query: "?raw", import: "default", eager: true });

test("no style sheet holds pictures: each element with one would pay for it in the first layout", () => {
  const sheets = Object.values(STYLES).join("\n");
  expect(sheets).not.toMatch(/\bmask\b|data:image|\.svg/);
});

test.each(Object.keys(PICTURES) as PictureName[])("the icon %s is one picture in the text's colour", (name) => {
  expect(renderToString(createElement(Icon, { name }))).toBe(
    `<svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true"><path d="${PICTURES[name]}"></path></svg>`,
  );
});

test.each(Object.keys(BRAND_PICTURES) as BrandName[])("the mark of %s can be configured and is an area", (name) => {
  expect(isBrandIcon(name)).toBe(true);
  expect(renderToString(createElement(BrandIcon, { name }))).toContain("icon-brand");
});

test.each([...Object.values(PICTURES), ...Object.values(BRAND_PICTURES)])("%s stays within its square", (path) => {
  const begins = [...path.matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
  expect(begins.every((place) => place >= 0 && place <= 24)).toBe(true);
});

test("names that no mark has are not drawn", () => {
  expect([isBrandIcon("toString"), isBrandIcon("mastodon"), isBrandIcon(null)]).toEqual([false, false, false]);
});
