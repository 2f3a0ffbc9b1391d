import { describe, expect, it } from "vitest";
import css from "../src/styles/tokens.css?raw";

type Colors = Map<string, { light: string; dark: string }>;

/** Read the tokens of a part of the sheet: token → its colors in light and dark mode. */
function read(part: string, base: Colors = new Map()): Colors {
  const tokens: Colors = new Map(base);
  const colors = /--([\w-]+): (?:light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)|var\(--([\w-]+)\));/g;
  for (const [, name = "", light, dark, other = ""] of part.matchAll(colors)) {
    const pair = light && dark ? { light, dark } : tokens.get(other);
    if (pair) tokens.set(name, pair);
  }
  return tokens;
}

const [ordinary = "", strong = ""] = css.split("@media (prefers-contrast: more)");
const tokens = read(ordinary);
const stronger = read(strong, tokens);

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const kinds = ["note", "tip", "info", "warning", "danger", "important"];
const code = ["ink", "comment", "keyword", "string", "number", "name", "type"].map((name) => `code-${name}`);
const grounds = ["paper-raised", "code-line", "code-added", "code-removed"];

const pairs: [text: string, ground: string][] = [
  ...["ink", "ink-soft", "ink-faint", "heading", "accent", "accent-strong", "rubric"].flatMap(
    (text): [string, string][] => [
      [text, "paper"],
      [text, "paper-raised"],
    ],
  ),
  ["ink-soft", "paper-hover"],
  ["heading", "paper-hover"],
  ["on-accent", "accent-fill"],
  ["on-accent", "accent-strong"],
  ["ink", "mark"],
  ...kinds.flatMap((kind): [string, string][] => [
    [kind, `${kind}-soft`],
    ["ink", `${kind}-soft`],
    ["accent", `${kind}-soft`],
  ]),
  ...code.flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ["danger", "paper-raised"],
  ["danger", "code-removed"],
];

describe.each(["light", "dark"] as const)("in %s mode", (mode) => {
  it.each(pairs)("%s on %s can be read", (text, ground) => {
    const [one, other] = [tokens.get(text)?.[mode], tokens.get(ground)?.[mode]];
    expect(contrast(one ?? "", other ?? "")).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs)("%s on %s has the contrast of level AAA for a reader who prefers more", (text, ground) => {
    const [one, other] = [stronger.get(text)?.[mode], stronger.get(ground)?.[mode]];
    expect(contrast(one ?? "", other ?? "")).toBeGreaterThanOrEqual(7);
  });
});
