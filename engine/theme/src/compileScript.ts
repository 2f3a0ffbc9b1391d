// Turns programs of authors into scripts that V8 runs by themselves: a configuration file of another engine, and the
// components of a site. Loaded only where there is one to compile.
import { getFormattedTokens, transform } from "sucrase";

declare global {
  var compileScript: (code: string, path: string) => string;
  var compileComponent: (code: string, path: string) => string;
}

globalThis.compileScript = (code, path) =>
  transform(exportAtEnd(code, path), {
    // In a file ending in .ts, <T>x is a type assertion and no element.
    transforms: path.endsWith("ts") ? ["typescript", "imports"] : ["typescript", "imports", "jsx"],
    jsxRuntime: "classic",
    filePath: path,
    production: true,
  }).code;

interface Failure {
  error: string;
  line: number;
  column: number;
}

/** Line, column, kind and text of a token, as Sucrase lists them. */
const TOKEN = /^(\d+):(\d+)-\d+:\d+ +(\S+) +(\S*)/;

/** Find an end tag that closes another element than the innermost: Sucrase does not read the names of end tags. */
function findCrossedTag(code: string, path: string): Failure | null {
  if (!code.includes("</")) return null;
  const open: string[] = [];
  const tags: { name: string; isEnd: boolean; isNamed: boolean; line: number; column: number }[] = [];
  let before = "";
  for (const listed of getFormattedTokens(code, { transforms: ["typescript", "jsx"], filePath: path }).split("\n")) {
    const match = TOKEN.exec(listed);
    if (!match) continue;
    const kind = match[3] ?? "";
    const tag = tags.at(-1);
    if (kind === "jsxTagStart") {
      tags.push({ name: "", isEnd: false, isNamed: false, line: Number(match[1]), column: Number(match[2]) });
    } else if (tag && kind === "/" && before === "jsxTagStart") {
      tag.isEnd = true;
    } else if (tag && kind === "jsxTagEnd") {
      tags.pop();
      if (tag.isEnd) {
        const name = open.pop() ?? "";
        if (name !== tag.name) {
          const error = `"</${tag.name}>" closes "<${name}>": the names differ`;
          return { error, line: tag.line, column: tag.column };
        }
      } else if (before !== "/") {
        open.push(tag.name);
      }
    } else if (tag && !tag.isNamed) {
      // A name behind a name is that of an attribute.
      if (kind === "." || kind === ":" || (kind === "jsxName" && before !== "jsxName")) tag.name += match[4] ?? "";
      else tag.isNamed = true;
    }
    before = kind;
  }
  return null;
}

/** What Sucrase calls a name that is declared at the top of a module, by itself or in braces. */
const DECLARED = ["2", "5"];

/**
 * Export the names of `export const a = 1, b = 2` at the end of the module: Sucrase exports the first of them alone.
 *
 * Spaces keep the columns of what follows.
 */
function exportAtEnd(code: string, path: string): string {
  if (!/\bexport\s+(?:const|let|var)\b[^;=]*(?:=[^;]*)?,/.test(code)) return code;
  const [header = "", ...listed] = getFormattedTokens(code, {
    transforms: path.endsWith("ts") ? ["typescript"] : ["typescript", "jsx"],
    filePath: path,
  }).split("\n");
  const valueOf = (line: string, column: string) => /^\S*/.exec(line.slice(header.indexOf(column)))?.[0] ?? "";
  const tokens = listed.flatMap((line) => {
    const match = TOKEN.exec(line);
    return match ? [{ line, row: Number(match[1]) - 1, column: Number(match[2]) - 1, kind: match[3] }] : [];
  });
  const lines = code.split("\n");
  const names: string[] = [];
  tokens.forEach(({ line, row, column, kind }, index) => {
    if (kind !== "export" || !/^(?:const|let|var)$/.test(tokens[index + 1]?.kind ?? "")) return;
    const declared = tokens
      .slice(index, Number(valueOf(line, "rhsEndIndex")))
      .filter((one) => DECLARED.includes(valueOf(one.line, "identifierRole")))
      .map((one) => /^[\w$\u0080-\uffff]+/.exec(lines[one.row]?.slice(one.column) ?? "")?.[0] ?? "");
    if (declared.length < 2) return;
    const text = lines[row] ?? "";
    lines[row] = text.slice(0, column) + " ".repeat("export".length) + text.slice(column + "export".length);
    names.push(...declared);
  });
  return names.length === 0 ? code : `${lines.join("\n")}\nexport { ${names.join(", ")} };\n`;
}

const MODE = ["process", ".", "env", ".", "NODE_ENV"] as const;
const MODE_VALUE = '"production"';

/**
 * Write the mode of the build in the place of `process.env.NODE_ENV`, as bundlers do: browsers have no `process`.
 *
 * Only as code, not in texts; spaces keep the columns of what follows.
 */
function writeMode(code: string, path: string): string {
  if (!code.includes("NODE_ENV")) return code;
  const lines = code.split("\n");
  const places: { line: number; column: number; name: string }[] = [];
  for (const listed of getFormattedTokens(code, {
    transforms: path.endsWith(".ts") ? ["typescript"] : ["typescript", "jsx"],
    filePath: path,
  }).split("\n")) {
    const match = TOKEN.exec(listed);
    if (!match) continue;
    const [, line, column, kind = "", text = ""] = match;
    places.push({ line: Number(line), column: Number(column), name: text === "" ? kind : text });
  }
  places.forEach((first, index) => {
    const last = places[index + MODE.length - 1];
    if (last?.line !== first.line || places[index - 1]?.name === ".") return;
    if (!MODE.every((name, offset) => places[index + offset]?.name === name)) return;
    const line = lines[first.line - 1] ?? "";
    const end = last.column - 1 + "NODE_ENV".length;
    const width = end - first.column + 1;
    lines[first.line - 1] = line.slice(0, first.column - 1) + MODE_VALUE.padEnd(width) + line.slice(end);
  });
  return lines.join("\n");
}

/** Compile a module of a component to the body of a function of CommonJS; gives JSON: code and mappings, or an error. */
globalThis.compileComponent = (code, path) => {
  try {
    const result = transform(exportAtEnd(writeMode(code, path), path), {
      transforms: path.endsWith(".ts") ? ["typescript", "imports"] : ["typescript", "imports", "jsx"],
      jsxRuntime: "automatic",
      filePath: path,
      production: true,
      sourceMapOptions: { compiledFilename: path },
    });
    const crossed = path.endsWith(".ts") ? null : findCrossedTag(code, path);
    if (crossed) return JSON.stringify(crossed);
    return JSON.stringify({ code: result.code, mappings: result.sourceMap?.mappings ?? "" });
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } };
    return JSON.stringify({ error: message, line: loc?.line ?? 1, column: loc?.column ?? 1 });
  }
};
