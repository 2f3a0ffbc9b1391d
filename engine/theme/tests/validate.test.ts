import { beforeEach, describe, expect, it } from "vitest";
import english from "../../src/octavo/words/en.json";
import german from "../../src/octavo/words/de.json";
import { speak } from "../src/features/reference/console/consoleWords";
import { validate } from "../src/features/reference/console/validate";

beforeEach(() => {
  speak(english);
});

const rule = { type: "object", required: ["a", "b"], properties: { a: { type: "integer" } } };

describe("what a value breaks of its schema", () => {
  it("is told of the alternative that it means", () => {
    const schema = { anyOf: [rule, { type: "null" }] };
    expect(validate({}, schema, { a: "x" })).toEqual([
      'The body must have the field "b".',
      '"a" must be of type integer.',
    ]);
    expect(validate({}, schema, "x")).toHaveLength(1);
    expect(validate({}, schema, null)).toEqual([]);
  });

  it("is said in the language of the page", () => {
    speak(german);
    const schema = { type: "object", properties: { name: { type: "string", minLength: 3 } }, required: ["id"] };
    expect(validate({}, schema, { name: "a" })).toEqual([
      "Der Body muss das Feld „id“ haben.",
      '"name" muss mindestens 3 Zeichen haben.',
    ]);
  });

  it("comes to an end in a schema that holds itself", () => {
    const root = { components: { schemas: { Loop: { allOf: [{ $ref: "#/components/schemas/Loop" }] } } } };
    expect(validate(root, { $ref: "#/components/schemas/Loop" }, {})).toEqual([]);
  });
});
