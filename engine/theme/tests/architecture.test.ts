/// <reference types="vite/client" />
import ts from "typescript";
import { describe, expect, test } from "vitest";

const MODULES = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/**/*.gen.ts", "!../src/**/*.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const TESTS = import.meta.glob<string>("./**/*.ts", { query: "?raw", import: "default", eager: true });

/** Folder of `src` → folders that it may import from, besides itself; entries and `payload.gen` are not listed. */
const ALLOWED: Record<string, readonly string[]> = {
  ui: [],
  data: ["ui"],
  features: ["data", "ui"],
  blocks: ["features", "data", "ui"],
  shell: ["features", "data", "ui"],
};

/** Values and types by which one file uses another; `*` where all of its exports count as used. */
interface Import {
  file: string;
  names: readonly string[];
}

interface Source {
  imports: readonly Import[];
  exports: readonly string[];
}

const sources = readSources();

function readSources(): Map<string, Source> {
  const texts = new Map(Object.entries(MODULES).map(([path, text]) => [path.replace("../src/", ""), text]));
  return new Map([...texts].map(([file, text]) => [file, readSource(file, text, texts)]));
}

function readSource(file: string, text: string, known: ReadonlyMap<string, string>): Source {
  const imports: Import[] = [];
  const exports: string[] = [];
  const add = (specifier: ts.Expression | undefined, names: readonly string[]): void => {
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return;
    const path = new URL(specifier.text, `file:///${file}`).pathname.slice(1);
    const found = [`${path}.ts`, `${path}.tsx`].find((candidate) => known.has(candidate));
    if (found !== undefined) imports.push({ file: found, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, ["*"]);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ["*"]);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, ["*"]);
    exports.push(...exportedNames(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return { imports, exports };
}

function importedNames(node: ts.ImportDeclaration): string[] {
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined) return ["default"];
  return ts.isNamespaceImport(bindings)
    ? ["*"]
    : bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function exportedNames(node: ts.Node): string[] {
  if (!ts.canHaveModifiers(node)) return [];
  if (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  return ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node)
    ? [node.name?.text ?? "default"]
    : [];
}

function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : "";
}

describe("modules of the theme", () => {
  test.each(Object.keys(ALLOWED))("%s imports in one direction", (folder) => {
    const wrong = [...sources].flatMap(([file, { imports }]) =>
      imports
        .filter(
          (used) => folderOf(file) === folder && ![folder, ...(ALLOWED[folder] ?? [])].includes(folderOf(used.file)),
        )
        .map((used) => `${file} imports ${used.file}`),
    );
    expect(wrong).toEqual([]);
  });

  test("every folder has its allowed imports", () => {
    const folders = new Set([...sources.keys()].map(folderOf).filter((folder) => folder !== ""));
    expect([...folders].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test("there are no import cycles", () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const follow = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      if (done.has(file) || trail.includes(file)) return;
      for (const used of sources.get(file)?.imports ?? []) follow(used.file, [...trail, file]);
      done.add(file);
    };
    for (const file of sources.keys()) follow(file, []);
    expect(cycles).toEqual([]);
  });

  test("every export is imported somewhere", () => {
    const used = new Set(
      [...sources.values()].flatMap(({ imports }) =>
        imports.flatMap(({ file, names }) => names.map((name) => `${file} ${name}`)),
      ),
    );
    const tested = Object.values(TESTS).join("\n");
    const unused = [...sources].flatMap(([file, { exports }]) =>
      exports
        .filter(
          (name) => !used.has(`${file} ${name}`) && !used.has(`${file} *`) && !new RegExp(`\\b${name}\\b`).test(tested),
        )
        .map((name) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});
