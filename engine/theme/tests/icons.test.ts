import { expect, test } from "vitest";
import blocks from "../src/styles/blocks.css?raw";
import icons from "../src/styles/icons.css?raw";
import picture from "../src/styles/icons.svg?raw";

const rules = icons + blocks;
const count = picture.split("<g").length - 1;

test("the picture is as wide as its icons, each in its own square", () => {
  expect(picture).toContain(`viewBox="0 0 ${24 * count} 24"`);
  const places = [...picture.matchAll(/<g(?: transform="translate\((\d+)\)")?[ >]/g)].map(([, x]) => Number(x ?? 0));
  expect(places).toEqual(Array.from({ length: count }, (_, number) => 24 * number));
});

test("the style cuts the picture into that many squares", () => {
  expect(rules).toContain(`calc(var(--icon) * 100% / ${count - 1}) 0 / ${count}00% 100%`);
});

test("every place of the row is named once", () => {
  const named = [...rules.matchAll(/--icon: (\d+);/g)].map(([, place]) => Number(place));
  expect(named).toEqual(Array.from({ length: count }, (_, number) => number));
});
