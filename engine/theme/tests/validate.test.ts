import { describe, expect, it } from "vitest";
import { validate } from "../src/features/reference/console/validate";

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

  it("comes to an end in a schema that holds itself", () => {
    const root = { components: { schemas: { Loop: { allOf: [{ $ref: "#/components/schemas/Loop" }] } } } };
    expect(validate(root, { $ref: "#/components/schemas/Loop" }, {})).toEqual([]);
  });
});
