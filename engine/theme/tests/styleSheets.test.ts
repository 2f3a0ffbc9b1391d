/// <reference types="vite/client" />
import { expect, test } from "vitest";

const SHEETS = import.meta.glob<string>("../src/**/*.css", { query: "?raw", import: "default", eager: true });

/** Give the arguments of each `:has()` of a sheet, parentheses of their own included. */
function argumentsOfHas(sheet: string): string[] {
  return [...sheet.replace(/\/\*[^]*?\*\//g, "").matchAll(/:has\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g)].map(
    (match) => match[1] ?? "",
  );
}

test("the pattern finds an argument of :has() to its end", () => {
  expect(argumentsOfHas(".a:not(:has(> :is(b, c))) > d {} .e:has(+ *) {}")).toEqual(["> :is(b, c)", "+ *"]);
});

// `:has(+ *)` made Chromium work out the styles of 1,853 elements for each element that was added anywhere.
test("no rule asks for whatever follows or is within an element", () => {
  const found = Object.entries(SHEETS).flatMap(([file, sheet]) =>
    argumentsOfHas(sheet)
      .filter((list) => list.split(",").some((selector) => /(?:^|[\s>+~])\*$/.test(selector.trim())))
      .map((list) => `${file}: :has(${list})`),
  );
  expect(found).toEqual([]);
});

test("code that loses its ground loses its frame too", () => {
  const found = Object.entries(SHEETS).flatMap(([file, sheet]) =>
    [...sheet.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)]
      .filter(
        ([, selectors, rules]) =>
          /\bcode\s*(?:,|$)/.test(selectors?.trim() ?? "") &&
          (rules ?? "").includes("background: none") &&
          !(rules ?? "").includes("border: 0"),
      )
      .map(([, selectors]) => `${file}: ${selectors?.trim() ?? ""}`),
  );
  expect(found).toEqual([]);
});

// Firefox draws the shadow of a box that breaks into lines across the cells of a table beside it.
test("no box in a line of text has an inset shadow", () => {
  const found = Object.entries(SHEETS).flatMap(([file, sheet]) =>
    [...sheet.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)]
      .filter(
        ([, selectors, rules]) =>
          /\b(?:code|kbd|samp|mark)\s*(?:,|$)/.test(selectors?.trim() ?? "") && /box-shadow:\s*inset/.test(rules ?? ""),
      )
      .map(([, selectors]) => `${file}: ${selectors?.trim() ?? ""}`),
  );
  expect(found).toEqual([]);
});
