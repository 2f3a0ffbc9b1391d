import { say } from "./consoleWords";
import { follow, type Credential, type JsonObject, type OperationForm } from "./description";
import { parseTyped, validate } from "./validate";

/** What the reader has filled in. Credentials are kept here and nowhere else: leaving the page forgets them. */
export interface Filled {
  server: string;
  /** `place name` → what was typed. */
  values: Readonly<Record<string, string>>;
  /** Scheme → what was typed. */
  secrets: Readonly<Record<string, string>>;
  body: string;
  mediaType: string;
}

export interface ReadyRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | null;
}

/** Find what would be refused, before anything is sent. */
export function findMistakes(root: JsonObject, form: OperationForm, filled: Filled): string[] {
  const found: string[] = [];
  if (serverOf(filled.server) === null) found.push(say("console.rule.server"));
  for (const { name, place, isRequired, schema } of form.parameters) {
    const typed = filled.values[`${place} ${name}`] ?? "";
    if (typed === "" && isRequired) found.push(say("console.rule.given", { name }));
    else if (typed !== "") found.push(...validate(root, schema, parseTyped(schema, typed), `"${name}"`));
  }
  return [...found, ...findBodyMistakes(root, form, filled)];
}

function findBodyMistakes(root: JsonObject, form: OperationForm, filled: Filled): string[] {
  if (form.bodySchema === null) return [];
  if (filled.body.trim() === "") return form.isBodyRequired ? [say("console.rule.body")] : [];
  if (!filled.mediaType.includes("json")) return [];
  try {
    return validate(root, follow(root, form.bodySchema), JSON.parse(filled.body));
  } catch (error) {
    return [say("console.rule.json", { error: error instanceof Error ? error.message : String(error) })];
  }
}

/** The address of a server, without a slash at the end; null where it is not an address of the web. */
export function serverOf(typed: string): string | null {
  try {
    const url = new URL(typed);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href.replace(/\/$/, "") : null;
  } catch {
    return null;
  }
}

export function makeRequest(form: OperationForm, filled: Filled): ReadyRequest {
  const query = new URLSearchParams();
  const headers: [string, string][] = [];
  let path = form.path;
  for (const { name, place } of form.parameters) {
    const typed = filled.values[`${place} ${name}`] ?? "";
    if (typed === "") continue;
    if (place === "path") path = path.replaceAll(`{${name}}`, encodeURIComponent(typed));
    else if (place === "query") query.append(name, typed);
    else if (place === "header") headers.push([name, typed]);
  }
  for (const credential of form.credentials) {
    const typed = filled.secrets[credential.name] ?? "";
    if (typed === "") continue;
    const value = credential.prefix === "Basic " ? btoa(typed) : typed;
    addCredential(credential, value, query, headers);
  }
  const body = form.bodySchema !== null && filled.body.trim() !== "" ? filled.body : null;
  if (body !== null) headers.push(["Content-Type", filled.mediaType]);
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return { method: form.method, url: `${serverOf(filled.server) ?? ""}${path}${search}`, headers, body };
}

function addCredential(
  { place, field, prefix }: Credential,
  value: string,
  query: URLSearchParams,
  headers: [string, string][],
): void {
  if (place === "query") query.append(field, value);
  else headers.push([field, `${prefix}${value}`]);
}

/** The request as a command. */
export function writeCurl({ method, url, headers, body }: ReadyRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quote(body)}`]),
  ].join(" \\\n  ");
}
