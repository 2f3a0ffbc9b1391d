import { asList, asObject, follow, type Json, type JsonObject } from "./description";

const MOST_FINDINGS = 12;
const DEEPEST = 40;

/** List the rules of its schema that a value breaks, each as a sentence that starts with the place. */
export function validate(root: JsonObject, schema: Json, value: Json, place = "The body"): string[] {
  const found: string[] = [];
  check(root, schema, value, place, found, 0);
  return found.slice(0, MOST_FINDINGS);
}

function check(root: JsonObject, raw: Json, value: Json, place: string, found: string[], depth: number): void {
  if (raw === false) found.push(`${place} must not be given.`);
  if (depth > DEEPEST) return;
  const schema = follow(root, raw);
  if (value === null && schema.nullable === true) return;
  for (const part of asList(schema.allOf)) check(root, part, value, place, found, depth + 1);
  const options = asList(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) checkOptions(root, options, value, place, found, depth);
  if ("const" in schema && !isSame(schema.const, value))
    found.push(`${place} must be ${JSON.stringify(schema.const)}.`);
  const values = schema.enum;
  if (Array.isArray(values) && !values.some((one) => isSame(one, value)))
    found.push(`${place} must be one of ${values.map((one) => JSON.stringify(one)).join(", ")}.`);
  const types = typesOf(schema);
  if (!isOfTypes(value, types)) {
    found.push(`${place} must be of type ${types.join(" or ")}.`);
    return;
  }
  if (typeof value === "string") checkText(schema, value, place, found);
  else if (typeof value === "number") checkNumber(schema, value, place, found);
  else if (Array.isArray(value)) checkArray(root, schema, value, place, found, depth);
  else if (typeof value === "object" && value !== null)
    checkFields(root, schema, value as JsonObject, place, found, depth);
}

function checkOptions(
  root: JsonObject,
  options: Json[],
  value: Json,
  place: string,
  found: string[],
  depth: number,
): void {
  const tried = options.map((option) => {
    const own: string[] = [];
    check(root, option, value, place, own, depth + 1);
    return { own, isOfType: isOfTypes(value, typesOf(follow(root, option))) };
  });
  if (tried.some(({ own }) => own.length === 0)) return;
  // Who gives an object means the option that is one, however much is wrong with it.
  const likely = tried.filter((one) => one.isOfType);
  const nearest = (likely.length > 0 ? likely : tried).reduce((best, one) =>
    one.own.length < best.own.length ? one : best,
  );
  found.push(...nearest.own);
}

function typesOf({ type }: JsonObject): string[] {
  return typeof type === "string" ? [type] : asList(type).map(String);
}

/** Whether a value is of one of some types; of none named, anything goes. */
function isOfTypes(value: Json, types: string[]): boolean {
  return types.length === 0 || types.some((type) => isOfType(value, type));
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function checkText(schema: JsonObject, value: string, place: string, found: string[]): void {
  const length = Array.from(value).length;
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === "number" && length < minLength)
    found.push(`${place} must have at least ${minLength} characters.`);
  if (typeof maxLength === "number" && length > maxLength)
    found.push(`${place} must have at most ${maxLength} characters.`);
  if (typeof pattern === "string" && !matches(pattern, value)) found.push(`${place} must match ${pattern}.`);
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true; // a pattern that this browser can't read is the server's to check
  }
}

function checkNumber(schema: JsonObject, value: number, place: string, found: string[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const isAbove = exclusiveMinimum === true && value === minimum;
  const isBelow = exclusiveMaximum === true && value === maximum;
  if ((typeof minimum === "number" && value < minimum) || isAbove)
    found.push(`${place} must be at least ${String(minimum)}.`);
  if ((typeof maximum === "number" && value > maximum) || isBelow)
    found.push(`${place} must be at most ${String(maximum)}.`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    found.push(`${place} must be more than ${exclusiveMinimum}.`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    found.push(`${place} must be less than ${exclusiveMaximum}.`);
  if (typeof multipleOf === "number" && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    found.push(`${place} must be a multiple of ${multipleOf}.`);
}

function checkArray(
  root: JsonObject,
  schema: JsonObject,
  value: Json[],
  place: string,
  found: string[],
  depth: number,
): void {
  const { minItems, maxItems } = schema;
  if (typeof minItems === "number" && value.length < minItems)
    found.push(`${place} must have at least ${minItems} items.`);
  if (typeof maxItems === "number" && value.length > maxItems)
    found.push(`${place} must have at most ${maxItems} items.`);
  if (schema.items === undefined) return;
  value.forEach((item, index) => {
    check(root, schema.items, item, `${place}[${index}]`, found, depth + 1);
  });
}

function checkFields(
  root: JsonObject,
  schema: JsonObject,
  value: JsonObject,
  place: string,
  found: string[],
  depth: number,
): void {
  const properties = asObject(schema.properties);
  for (const name of asList(schema.required).map(String))
    if (!(name in value)) found.push(`${place} must have the field "${name}".`);
  for (const [name, field] of Object.entries(value)) {
    const inner = name in properties ? properties[name] : schema.additionalProperties;
    const own = place === "The body" ? `"${name}"` : `${place}.${name}`;
    if (inner === false) found.push(`${own} is not a field that may be given.`);
    else if (typeof inner === "object") check(root, inner, field, own, found, depth + 1);
  }
}

/** Turn what was typed into a value of the parameter's type. */
export function parseTyped(schema: JsonObject, typed: string): Json {
  const types = [schema, ...asList(schema.anyOf ?? schema.oneOf).map(asObject)].flatMap(({ type }) =>
    Array.isArray(type) ? type.map(String) : typeof type === "string" ? [type] : [],
  );
  if (types.includes("array")) return typed.split(",");
  if ((types.includes("integer") || types.includes("number")) && typed.trim() !== "" && !Number.isNaN(Number(typed)))
    return Number(typed);
  if (types.includes("boolean") && (typed === "true" || typed === "false")) return typed === "true";
  return typed;
}
