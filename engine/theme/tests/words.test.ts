import { afterEach, describe, expect, it, vi } from "vitest";
import { countedWord, formatDate, formatNumber, rememberDates, setLanguage, word } from "../src/ui/words";
import english from "../../src/octavo/words/en.json";

const FILES = import.meta.glob<Record<string, string>>("../../src/octavo/words/*.json", {
  import: "default",
  eager: true,
});
const LANGUAGES = Object.entries(FILES).map(([path, words]) => [path.replace(/.*\/|\.json$/g, ""), words] as const);
const COUNTED = Object.keys(english).flatMap((key) => (key.endsWith(".other") ? [key.slice(0, -6)] : []));

afterEach(() => {
  setLanguage({ locale: "en", words: english });
});

/** Plural categories that counts of up to two hundred fall into: others are for millions and fractions. */
function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))].sort();
}

describe.each(LANGUAGES)("the words of %s", (language, words) => {
  it("have a form for each plural category, and no other", () => {
    for (const key of COUNTED) {
      const forms = Object.keys(words).flatMap((name) =>
        name.startsWith(`${key}.`) ? [name.slice(key.length + 1)] : [],
      );
      const expected = [...new Set([...categoriesOf(language), "other"])].sort();
      expect(forms.sort(), key).toEqual(expected);
    }
  });
});

it("speaks twelve languages", () => {
  expect(LANGUAGES.map(([language]) => language).sort()).toEqual(
    ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "pt", "ru", "zh-Hans"].sort(),
  );
});

it("takes the plural form, the digits and the date of the language", () => {
  const words = FILES["../../src/octavo/words/ru.json"] ?? {};
  setLanguage({ locale: "ru", words });
  expect([1, 3, 5, 21].map((count) => countedWord("search.count", count))).toEqual([
    "1 результат",
    "3 результата",
    "5 результатов",
    "21 результат",
  ]);
  setLanguage({ locale: "de", words: FILES["../../src/octavo/words/de.json"] ?? {} });
  expect([formatNumber(12345), formatDate("2026-11-03")]).toEqual(["12.345", "03.11.2026"]);
});

it("makes no date format for the date that the page came with, and forgets it with the language", () => {
  const format = vi.spyOn(Intl, "DateTimeFormat");
  const root = { querySelectorAll: () => [{ dateTime: "2026-11-03", textContent: "as served" }] };
  rememberDates(root as unknown as ParentNode);
  expect(formatDate("2026-11-03")).toBe("as served");
  expect(format).not.toHaveBeenCalled();
  setLanguage({ locale: "de", words: english });
  expect(formatDate("2026-11-03")).toBe("03.11.2026");
  format.mockRestore();
});

it("puts values in and leaves what looks like a placeholder in them", () => {
  expect(word("sidebar.expand", { name: "{name} $& 1" })).toBe("Expand sidebar category '{name} $& 1'");
});
