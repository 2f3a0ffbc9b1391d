/// <reference types="vite/client" />
import { expect, test } from "vitest";
import blocks from "../src/styles/blocks.css?raw";
import icons from "../src/styles/icons.css?raw";

const PICTURES = import.meta.glob<string>("../src/styles/icons/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("every picture is used, and every one that is used exists", () => {
  const used = [...(icons + blocks).matchAll(/url\("\.\/icons\/([a-z-]+)\.svg"\)/g)].map(([, name]) => name ?? "");
  const there = Object.keys(PICTURES).map((path) => /([a-z-]+)\.svg$/.exec(path)?.[1] ?? "");
  expect([...new Set(used)].sort()).toEqual(there.sort());
});

test.each(Object.entries(PICTURES))("%s is one square", (_, picture) => {
  expect(picture).toContain('viewBox="0 0 24 24"');
});

test("no icon is a part of a larger picture", () => {
  expect(icons + blocks).not.toMatch(/mask(-position|-size)?:[^;]*%/);
});
