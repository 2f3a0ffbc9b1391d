import { describe, expect, it } from "vitest";
import { effectiveMode, initialChoice, nextChoice, parseChoice } from "../src/features/color-mode/choice";

it("accepts three words and nothing else", () => {
  expect(parseChoice("dark")).toBe("dark");
  expect(parseChoice("system")).toBe("system");
  expect(parseChoice('"><script>')).toBeNull();
  expect(parseChoice(null)).toBeNull();
});

describe("where the system is respected", () => {
  it("begins with the system", () => {
    expect(initialChoice(null, "dark", true)).toBe("system");
    expect(initialChoice("light", "dark", true)).toBe("light");
  });

  it("cycles through light, dark, system", () => {
    expect(nextChoice("light", true)).toBe("dark");
    expect(nextChoice("dark", true)).toBe("system");
    expect(nextChoice("system", true)).toBe("light");
  });
});

describe("where the system is not respected", () => {
  it("begins with the default, whatever is stored as system", () => {
    expect(initialChoice(null, "dark", false)).toBe("dark");
    expect(initialChoice("system", "light", false)).toBe("light");
  });

  it("flips between light and dark", () => {
    expect(nextChoice("dark", false)).toBe("light");
    expect(nextChoice("light", false)).toBe("dark");
  });
});

it("comes to what the system prefers only when the choice is system", () => {
  expect(effectiveMode("system", "dark")).toBe("dark");
  expect(effectiveMode("system", "light")).toBe("light");
  expect(effectiveMode("light", "dark")).toBe("light");
});
