import { say } from "./consoleWords";
import { asList, asObject, follow, type Json, type JsonObject } from "./description";

const MOST_FINDINGS = 12;
const DEEPEST = 40;

/** Place of a whole body; fields in it are named without it. */
const BODY = "";

/** List the rules of its schema that a value breaks, each as a sentence that names the place. */
export function validate(root: JsonObject, schema: Json, value: Json, place = BODY): string[] {
  const found: string[] = [];
  check(root, schema, value, place, found, 0);
  return found.slice(0, MOST_FINDINGS);
}

type Rule = Parameters<typeof say>[0];

function broken(rule: Rule, place: string, values: Readonly<Record<string, string | number>> = {}): string {
  return say(rule, { place: place === BODY ? say("console.theBody") : place, ...values });
}

function check(root: JsonObject, raw: Json, value: Json, place: string, found: string[], depth: number): void {
  if (raw === false) found.push(broken("console.rule.never", place));
  if (depth > DEEPEST) return;
  const schema = follow(root, raw);
  if (value === null && schema.nullable === true) return;
  for (const part of asList(schema.allOf)) check(root, part, value, place, found, depth + 1);
  const options = asList(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) checkOptions(root, options, value, place, found, depth);
  if ("const" in schema && !isSame(schema.const, value))
    found.push(broken("console.rule.const", place, { value: JSON.stringify(schema.const) }));
  const values = schema.enum;
  if (Array.isArray(values) && !values.some((one) => isSame(one, value)))
    found.push(broken("console.rule.enum", place, { values: values.map((one) => JSON.stringify(one)).join(", ") }));
  const types = typesOf(schema);
  if (!isOfTypes(value, types)) {
    found.push(broken("console.rule.type", place, { types: types.join(` ${say("console.or")} `) }));
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
    found.push(broken("console.rule.minLength", place, { count: minLength }));
  if (typeof maxLength === "number" && length > maxLength)
    found.push(broken("console.rule.maxLength", place, { count: maxLength }));
  if (typeof pattern === "string" && !matches(pattern, value))
    found.push(broken("console.rule.pattern", place, { pattern }));
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
    found.push(broken("console.rule.least", place, { value: String(minimum) }));
  if ((typeof maximum === "number" && value > maximum) || isBelow)
    found.push(broken("console.rule.most", place, { value: String(maximum) }));
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    found.push(broken("console.rule.more", place, { value: exclusiveMinimum }));
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    found.push(broken("console.rule.less", place, { value: exclusiveMaximum }));
  if (typeof multipleOf === "number" && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    found.push(broken("console.rule.multiple", place, { value: multipleOf }));
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
    found.push(broken("console.rule.minItems", place, { count: minItems }));
  if (typeof maxItems === "number" && value.length > maxItems)
    found.push(broken("console.rule.maxItems", place, { count: maxItems }));
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
    if (!(name in value)) found.push(broken("console.rule.field", place, { name }));
  for (const [name, field] of Object.entries(value)) {
    const inner = name in properties ? properties[name] : schema.additionalProperties;
    const own = place === BODY ? `"${name}"` : `${place}.${name}`;
    if (inner === false) found.push(broken("console.rule.unknown", own));
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
