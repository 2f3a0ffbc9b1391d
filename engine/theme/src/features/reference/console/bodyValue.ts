import { asList, asObject, follow, type Json, type JsonObject } from "./description";

/** Place of a value in a body: names of fields and numbers of items, from the outside in. */
export type Path = readonly (string | number)[];

/** What a field is edited with. `json`: as text, where no simpler form says all that it may be. */
type FieldKind = "text" | "number" | "choice" | "object" | "list" | "json";

interface BodyField {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

/** The value of a body's text; `undefined` if it is empty, null if it is not JSON. */
export function readBody(text: string): { value: Json } | null {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

export function writeBody(value: Json): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

/** A copy of a value with another one at a place; `undefined` removes the value there. */
export function withValue(whole: Json, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === "number") {
    const items = [...asList(whole)];
    if (rest.length === 0 && value === undefined) items.splice(key, 1);
    else items[key] = withValue(items[key], rest, value);
    return items;
  }
  const fields = { ...asObject(whole), [key]: withValue(asObject(whole)[key], rest, value) };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}

/** A schema as a form shows it: references followed, and of `X or null` the X. */
export function shown(root: JsonObject, raw: Json): JsonObject {
  const schema = follow(root, raw);
  const options = asList(schema.anyOf ?? schema.oneOf).filter((option) => asObject(option).type !== "null");
  if (options.length !== 1) return schema;
  const outer = Object.entries(schema).filter(([keyword]) => keyword !== "anyOf" && keyword !== "oneOf");
  return { ...follow(root, options[0]), ...Object.fromEntries(outer) };
}

/** The fields of an object that may be sent, with those of the schemas that it is made of. */
export function fieldsOf(root: JsonObject, raw: Json, depth = 0): BodyField[] {
  const schema = shown(root, raw);
  const required = asList(schema.required).map(String);
  const own = Object.entries(asObject(schema.properties)).map(([name, field]) => ({
    name,
    schema: shown(root, field),
    isRequired: required.includes(name),
  }));
  const parts = depth > 8 ? [] : asList(schema.allOf).flatMap((part) => fieldsOf(root, part, depth + 1));
  const merged = new Map([...parts, ...own].map((field) => [field.name, field]));
  return [...merged.values()]
    .filter(({ schema: { readOnly } }) => readOnly !== true)
    .map((field) => ({ ...field, isRequired: field.isRequired || required.includes(field.name) }));
}

/** Type of a value, without `null` beside it. */
export function typeOf(schema: JsonObject): string {
  const types = (typeof schema.type === "string" ? [schema.type] : asList(schema.type).map(String)).filter(
    (type) => type !== "null",
  );
  return types.length === 1 ? (types[0] ?? "") : "";
}

export function kindOf(root: JsonObject, schema: JsonObject): FieldKind {
  if (Array.isArray(schema.enum)) return "choice";
  switch (typeOf(schema)) {
    case "boolean":
      return "choice";
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "array":
      return "list";
    default:
      return fieldsOf(root, schema).length > 0 ? "object" : "json";
  }
}

/** The values that may be chosen. */
export function choicesOf(schema: JsonObject): Json[] {
  return Array.isArray(schema.enum) ? schema.enum : [true, false];
}

/** The initial value of a kind. */
export function emptyOf(root: JsonObject, schema: JsonObject): Json {
  const kind = kindOf(root, schema);
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (kind === "object") return {};
  if (kind === "list") return [];
  return kind === "choice" ? choicesOf(schema)[0] : kind === "text" ? "" : null;
}
