// What components print while the site is built: V8 has no console that anybody could read. Import this before what remembers
// shared objects.

const METHODS = ["log", "info", "debug", "warn", "error", "dir", "table", "trace"] as const;
const MOST = 5;
const LONGEST = 300;
const { stringify } = JSON;

/** What was printed since `startPrinting`, and the stack of the first place. */
let lines: string[] = [];
let stack = "";

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return String(value);
  try {
    return typeof value === "object" && value !== null ? stringify(value) : String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function print(...values: readonly unknown[]): void {
  if (lines.length === 0) stack = String(new Error().stack);
  if (lines.length < MOST) lines.push(values.map(shown).join(" ").slice(0, LONGEST));
}

for (const method of METHODS) console[method] = print;

export function startPrinting(): void {
  lines = [];
  stack = "";
}

/** What was printed, a line for each call, with the stack of the first one; undefined where nothing was. */
export function printed(): { readonly text: string; readonly stack: string } | undefined {
  return lines.length === 0 ? undefined : { text: lines.join("\n"), stack };
}
