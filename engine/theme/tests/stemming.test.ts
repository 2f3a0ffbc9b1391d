import { expect, test } from "vitest";
import { stemEnglish } from "../src/features/search/static/stemming";
import stems from "./stems.json";

// The same file is held against the stemmer of the server in engine/tests/unit/search/test_stemming.py.
test("words have the stems that the server gives them", () => {
  const wrong = Object.entries(stems).filter(([word, stem]) => stemEnglish(word) !== stem);
  expect(wrong.map(([word, stem]) => `${word}: ${stemEnglish(word)}, not ${stem}`)).toEqual([]);
});
