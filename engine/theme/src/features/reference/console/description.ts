/** A JSON value of a description, not yet looked at. */
export type Json = unknown;
export type JsonObject = Record<string, unknown>;

export interface Parameter {
  name: string;
  place: "path" | "query" | "header" | "cookie";
  isRequired: boolean;
  schema: JsonObject;
  example: string;
}

export interface Credential {
  name: string;
  /** Key of the word for what the reader types in. */
  label: "console.credential.key" | "console.credential.basic" | "console.credential.token";
  place: "header" | "query";
  field: string;
  /** Stands before what was typed, such as `Bearer `. */
  prefix: string;
}

/** What the console knows of an operation. */
export interface OperationForm {
  method: string;
  path: string;
  servers: string[];
  parameters: Parameter[];
  /** Media types of the body, the first one chosen; empty where none is taken. */
  mediaTypes: string[];
  bodySchema: JsonObject | null;
  isBodyRequired: boolean;
  bodyExample: string;
  credentials: Credential[];
}

const documents = new Map<string, Promise<JsonObject>>();

/** Fetch a description, once for a page. */
export function loadDescription(address: string): Promise<JsonObject> {
  let found = documents.get(address);
  if (found === undefined) {
    found = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      return answer.json() as Promise<JsonObject>;
    });
    found.catch(() => documents.delete(address));
    documents.set(address, found);
  }
  return found;
}

export function asObject(value: Json): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asList(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Find a place by its JSON pointer. */
export function find(root: JsonObject, pointer: string): Json {
  let value: Json = root;
  for (const key of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value) ? value[Number(name)] : asObject(value)[name];
  }
  return value;
}

/** Follow references; a circle gives nothing. */
export function follow(root: JsonObject, value: Json): JsonObject {
  let current = asObject(value);
  for (let steps = 0; steps < 50 && typeof current.$ref === "string"; steps += 1)
    current = asObject(find(root, current.$ref));
  return typeof current.$ref === "string" ? {} : current;
}

/** Gather what the form of an operation needs. */
export function readOperation(root: JsonObject, pointer: string): OperationForm {
  const operation = asObject(find(root, pointer));
  const [, , rawPath = "", method = "get"] = pointer.split("/");
  const item = asObject(find(root, pointer.slice(0, pointer.lastIndexOf("/"))));
  const merged = new Map<string, Parameter>();
  for (const raw of [...asList(item.parameters), ...asList(operation.parameters)]) {
    const parameter = readParameter(root, follow(root, raw));
    merged.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  const body = follow(root, operation.requestBody);
  const content = asObject(body.content);
  const mediaTypes = Object.keys(content).sort((a, b) => Number(b.includes("json")) - Number(a.includes("json")));
  const first = asObject(content[mediaTypes[0] ?? ""]);
  return {
    method: method.toUpperCase(),
    path: decodeURIComponent(rawPath).replaceAll("~1", "/").replaceAll("~0", "~"),
    servers: readServers(operation) ?? readServers(item) ?? readServers(root) ?? [],
    parameters: [...merged.values()],
    mediaTypes,
    bodySchema: mediaTypes.length > 0 ? asObject(first.schema) : null,
    isBodyRequired: body.required === true,
    bodyExample: readExample(root, first),
    credentials: readCredentials(root, operation.security ?? root.security),
  };
}

function readParameter(root: JsonObject, parameter: JsonObject): Parameter {
  const schema = follow(root, parameter.schema);
  const example = parameter.example ?? schema.example ?? asList(schema.examples)[0];
  return {
    name: String(parameter.name),
    place: parameter.in as Parameter["place"],
    isRequired: parameter.required === true,
    schema,
    example: example === undefined || example === null ? "" : writeValue(example),
  };
}

export function writeValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readServers(holder: JsonObject): string[] | null {
  const found = asList(holder.servers).map((raw) => {
    const server = asObject(raw);
    return Object.entries(asObject(server.variables)).reduce(
      (url, [name, variable]) => url.replaceAll(`{${name}}`, writeValue(asObject(variable).default ?? "")),
      writeValue(server.url ?? ""),
    );
  });
  return found.length > 0 ? found : null;
}

function readExample(root: JsonObject, content: JsonObject): string {
  const named = follow(root, Object.values(asObject(content.examples))[0]);
  const example = content.example ?? named.value;
  if (example === undefined) return "";
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

function readCredentials(root: JsonObject, wanted: Json): Credential[] {
  const schemes = asObject(asObject(root.components).securitySchemes);
  return Object.keys(asObject(asList(wanted)[0])).map((name) => {
    const scheme = follow(root, schemes[name]);
    if (scheme.type === "apiKey") {
      const place = scheme.in === "query" ? "query" : "header";
      return { name, label: "console.credential.key" as const, place, field: String(scheme.name), prefix: "" };
    }
    const isBasic = scheme.type === "http" && String(scheme.scheme).toLowerCase() === "basic";
    return {
      name,
      label: isBasic ? ("console.credential.basic" as const) : ("console.credential.token" as const),
      place: "header" as const,
      field: "Authorization",
      prefix: isBasic ? "Basic " : "Bearer ",
    };
  });
}
