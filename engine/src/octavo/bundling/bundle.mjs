// Bundles packages for the browser. Node runs it in a folder with `node_modules`; standard input is the order, as JSON:
// `bundler` (file of Rolldown), `entries` (names that components import), `given` (modules that the theme gives).
// Standard output is the answer, as JSON; see `Bundled` in bundle.py.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const order = JSON.parse(readFileSync(0, "utf8"));
const { rolldown } = await import(pathToFileURL(order.bundler).href);

const SHARED = "_shared";
const EMPTY = "\0empty:";
// Of a package in CommonJS: a module in ESM whose only export is what the package exports, whatever that is. The ending
// asks for Node's rules, by which `module.exports` is the default export even where it names one itself.
const WHOLE = { begin: "\0whole:", end: ".mjs" };
const STYLE = /\.(?:css|s[ac]ss|less)$/;
const problems = [];
const notes = new Set();
const formats = new Map();

/** The package that a file belongs to, as its package.json describes it; null for the bundler's own code. */
function packageOf(id) {
  for (
    let folder = dirname(id);
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    try {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      );
      // Folders of a package have such files too, to say which kind of modules is in them.
      if (name !== undefined && version !== undefined)
        return { name, version, license: licenseName(license), folder };
    } catch {
      // Most folders have none.
    }
  }
  return null;
}

/** The name that is imported by a module of `WHOLE`. */
function entryOf(id) {
  return id.slice(WHOLE.begin.length, -WHOLE.end.length);
}

function licenseName(license) {
  return typeof license === "object" ? (license?.type ?? "") : (license ?? "");
}

function licenseText(folder) {
  const file = readdirSync(folder).find((name) =>
    /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(name),
  );
  return file === undefined
    ? ""
    : readFileSync(join(folder, file), "utf8").trim();
}

function nameOf(importer) {
  return importer === undefined
    ? null
    : (packageOf(importer)?.name ?? importer);
}

const limits = {
  name: "limits",
  async resolveId(source, by, options) {
    if (source.startsWith(WHOLE.begin)) return source;
    const importer = by?.startsWith(WHOLE.begin) ? undefined : by;
    if (order.given.includes(source)) return { id: source, external: true };
    const importing = nameOf(importer);
    if (/^react(?:-dom)?(?:\/|$)/.test(source)) {
      problems.push({ kind: "react", name: source, by: importing });
      return EMPTY + source;
    }
    if (STYLE.test(source)) {
      notes.add(JSON.stringify({ kind: "style", name: source, by: importing }));
      return EMPTY + source;
    }
    const found = await this.resolve(source, importer, {
      ...options,
      skipSelf: true,
    });
    if (found !== null && !found.external) return found;
    if (isBuiltin(source)) {
      notes.add(
        JSON.stringify({
          kind: "builtin",
          name: source.replace(/^node:/, ""),
          by: importing,
        }),
      );
      return EMPTY + source;
    }
    problems.push({ kind: "missing", name: source, by: importing });
    return EMPTY + source;
  },
  load(id) {
    if (id.startsWith(WHOLE.begin)) {
      return `import whole from ${JSON.stringify(entryOf(id))}; export { whole };`;
    }
    return id.startsWith(EMPTY) ? "module.exports = {};" : null;
  },
  buildEnd() {
    for (const id of this.getModuleIds())
      formats.set(id, this.getModuleInfo(id)?.inputFormat);
  },
};

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

function failures(error) {
  return (error.errors ?? [error]).map((one) => ({
    kind: "failed",
    name: String(one.message).replace(COLORS, "").trim().split("\n")[0],
    by: null,
  }));
}

async function bundle(input) {
  const build = await rolldown({
    input,
    platform: "browser",
    transform: {
      define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
      target: "es2022",
    },
    plugins: [limits],
    // What concerns authors is in `problems` and `notes`.
    onLog: () => undefined,
  });
  const { output } = await build.generate({
    format: "cjs",
    exports: "named",
    esModule: true,
    minify: true,
    entryFileNames: `${SHARED}/[name].js`,
    chunkFileNames: `${SHARED}/[name]-[hash].js`,
  });
  await build.close();
  return output.filter((one) => one.type === "chunk");
}

/** Bundle all entries together. Which of them are in CommonJS is known when that was done once. */
async function bundleAll() {
  const plain = Object.fromEntries(order.entries.map((name) => [name, name]));
  const chunks = await bundle(plain);
  if (problems.length > 0) return [];
  const old = chunks.filter(
    (chunk) => chunk.isEntry && formats.get(chunk.facadeModuleId) === "cjs",
  );
  for (const { name } of old) plain[name] = WHOLE.begin + name + WHOLE.end;
  return old.length === 0 ? chunks : bundle(plain);
}

/** A file for each entry: what it exports, whichever kind of module it is. */
function facade({ name, fileName, facadeModuleId, moduleIds }) {
  const isWhole = facadeModuleId.startsWith(WHOLE.begin);
  const own = isWhole
    ? moduleIds
        .map(packageOf)
        .find((about) => about?.name === packageName(name))
    : null;
  const about = own ?? packageOf(facadeModuleId);
  const up = "../".repeat(name.split("/").length - 1) || "./";
  const head = about
    ? `${about.name} ${about.version}${about.license ? ` (${about.license})` : ""}`
    : name;
  const code = `module.exports = require("${up}${fileName}")${isWhole ? ".whole" : ""};`;
  return `// ${head}, written by \`octavo bundle\`\n${code}\n`;
}

function packageName(name) {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function licenses(ids) {
  const found = new Map();
  for (const id of ids) {
    const about = id.startsWith("\0") ? null : packageOf(id);
    if (about !== null) found.set(`${about.name} ${about.version}`, about);
  }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { license, folder }]) => ({
      name,
      license,
      text: licenseText(folder),
    }));
}

let chunks = [];
try {
  chunks = await bundleAll();
} catch (error) {
  problems.push(...failures(error));
}
const files = {};
if (problems.length === 0) {
  for (const chunk of chunks) {
    files[chunk.fileName] = chunk.code;
    if (chunk.isEntry) files[`${chunk.name}.js`] = facade(chunk);
  }
}
process.stdout.write(
  JSON.stringify({
    files,
    problems,
    notes: [...notes].map((note) => JSON.parse(note)),
    licenses: licenses(chunks.flatMap((chunk) => chunk.moduleIds)),
  }),
);
