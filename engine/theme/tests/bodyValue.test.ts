import { describe, expect, it } from "vitest";
import {
  choicesOf,
  emptyOf,
  fieldsOf,
  kindOf,
  readBody,
  withValue,
  writeBody,
} from "../src/features/reference/console/bodyValue";

const root = {
  components: {
    schemas: {
      Base: { properties: { id: { type: "string", readOnly: true }, name: { type: "string" } }, required: ["name"] },
      Rule: {
        type: "object",
        required: ["matcher"],
        properties: {
          matcher: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
          kind: { enum: ["a", "b"] },
          parts: { type: "array", items: { $ref: "#/components/schemas/Rule" } },
        },
      },
      Whole: {
        allOf: [{ $ref: "#/components/schemas/Base" }],
        properties: { rule: { $ref: "#/components/schemas/Rule" } },
      },
      Circle: { allOf: [{ $ref: "#/components/schemas/Circle" }], properties: { end: { type: "integer" } } },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("the fields of a schema", () => {
  it("are those of all its parts but what only answers have", () => {
    expect(fieldsOf(root, ref("Whole")).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["name", true],
      ["rule", false],
    ]);
  });

  it("come to an end where a schema is made of itself", () => {
    expect(fieldsOf(root, ref("Circle")).map(({ name }) => name)).toEqual(["end"]);
  });

  it("are edited by what they are", () => {
    const kinds = fieldsOf(root, ref("Rule")).map(({ name, schema }) => [name, kindOf(root, schema)]);
    expect(kinds).toEqual([
      ["matcher", "text"],
      ["kind", "choice"],
      ["parts", "list"],
    ]);
    expect(kindOf(root, { oneOf: [{ type: "string" }, { type: "integer" }] })).toBe("json");
    expect(kindOf(root, { type: ["integer", "null"] })).toBe("number");
    expect(choicesOf({ type: "boolean" })).toEqual([true, false]);
  });

  it("begin with what the schema says", () => {
    expect(emptyOf(root, { type: "integer", default: 5 })).toBe(5);
    expect(emptyOf(root, { type: "array" })).toEqual([]);
    expect(emptyOf(root, fieldsOf(root, ref("Whole"))[1]?.schema ?? {})).toEqual({});
  });
});

describe("a body", () => {
  it("is empty, a value, or no JSON", () => {
    expect(readBody(" ")).toEqual({ value: undefined });
    expect(readBody("[1]")).toEqual({ value: [1] });
    expect(readBody("[1")).toBeNull();
    expect(writeBody(undefined)).toBe("");
  });

  it("takes values at any place and keeps the others", () => {
    const whole = { a: [{ b: 1 }, { b: 2 }], c: null };
    expect(withValue(whole, ["a", 1, "b"], 3)).toEqual({ a: [{ b: 1 }, { b: 3 }], c: null });
    expect(withValue(whole, ["a", 0], undefined)).toEqual({ a: [{ b: 2 }], c: null });
    expect(withValue(whole, ["c"], undefined)).toEqual({ a: [{ b: 1 }, { b: 2 }] });
    expect(withValue(undefined, ["x", 0, "y"], "z")).toEqual({ x: [{ y: "z" }] });
    expect(whole.a).toHaveLength(2);
  });

  it("takes a field of any name as a field", () => {
    expect(JSON.stringify(withValue({}, ["__proto__"], 1))).toBe('{"__proto__":1}');
  });
});
