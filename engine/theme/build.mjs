// Builds the theme from one code base: the client, the server bundle for V8, six scripts that stand alone.
// Usage: node build.mjs [--mode development] [--out DIR]
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { pruneReact } from "./pruneReact.mjs";

const here = import.meta.dirname;
const { values } = parseArgs({
  options: {
    mode: { type: "string", default: "production" },
    out: { type: "string", default: join(here, "../src/octavo/_theme") },
  },
});
const finalDir = resolve(values.out);
// Made beside its place and moved there at the end, so that a site built meanwhile finds the old one whole.
const outDir = `${finalDir}.new`;
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

// Browsers that know light-dark(), on which the colour tokens rest, and :has().
const target = ["chrome123", "firefox121", "safari17.5"];
const shared = {
  configFile: false,
  root: here,
  mode: values.mode,
  logLevel: "warn",
  define: {
    "process.env.NODE_ENV": JSON.stringify(values.mode),
    __THEME_VERSION__: JSON.stringify(version),
    __OFFLINE__: "false",
  },
};

/** One self-contained classic script. */
function script(entry, fileName, options) {
  return build({
    ...shared,
    ...options,
    build: {
      outDir,
      emptyOutDir: false,
      target,
      minify: values.mode === "production",
      lib: { entry: join(here, entry), formats: ["iife"], name: "_", fileName: () => fileName },
    },
  });
}

rmSync(outDir, { recursive: true, force: true });

// The frame in which Mermaid draws what the build could not. Its document has no origin, so scripts that are modules
// would need headers of the host: it is one classic script.
await script("src/diagramFrame.ts", "diagram-frame.js", {});
const frameFiles = {};

/** Keep a file of the frame under a name with the hash of its content. */
function keepFrameFile(extension, content) {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 8);
  const name = `diagram-frame-${hash}.${extension}`;
  frameFiles[name] = content;
  return name;
}
const frameScript = keepFrameFile("js", readFileSync(join(outDir, "diagram-frame.js")));
rmSync(join(outDir, "diagram-frame.js"));
const framePage = keepFrameFile(
  "html",
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title>` +
    `<style>html{overflow-x:auto;overflow-y:hidden}body{margin:0;text-align:center}svg{max-width:100%}</style></head>` +
    `<body><script src="${frameScript}"></script></body></html>\n`,
);

await build({
  ...shared,
  define: { ...shared.define, __DIAGRAM_FRAME__: JSON.stringify(framePage) },
  plugins: [pruneReact()],
  // Relative addresses between chunks: the site may live under any path.
  base: "./",
  build: {
    outDir: join(outDir, "client"),
    emptyOutDir: true,
    target,
    cssTarget: target,
    manifest: true,
    // Chunks are loaded on intent; a polyfill or preload lists would only add weight.
    modulePreload: false,
    minify: values.mode === "production",
    rollupOptions: {
      // The sheets are linked only where a page needs them: `theme.py` says by what that is seen.
      input: ["client.tsx", "styles/sheets/landing.css", "styles/sheets/reference.css"].map((name) =>
        join(here, "src", name),
      ),
      output: {
        // What the entry shares with chunks, in one file: each costs a request and 300 bytes of headers.
        codeSplitting: { groups: [{ name: "react", test: /node_modules[\\/]react[\\/]|src[\\/]ui[\\/]storage\.ts$/ }] },
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
});

const manifestFile = join(outDir, "client/.vite/manifest.json");
const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
mkdirSync(join(outDir, "client/assets"), { recursive: true });
for (const [name, content] of Object.entries(frameFiles)) {
  writeFileSync(join(outDir, "client/assets", name), content);
  manifest[`src/diagramFrame.ts#${name}`] = { file: `assets/${name}` };
}
writeFileSync(manifestFile, JSON.stringify(manifest));

// The package exports both of React's string renderers together; the synchronous one alone needs no polyfills
// (MessageChannel, TextEncoder) and is half the size.
const reactDom = dirname(createRequire(import.meta.url).resolve("react-dom/package.json"));
const stringRenderer = {
  alias: { "react-dom/server": join(reactDom, `cjs/react-dom-server-legacy.browser.${values.mode}.js`) },
};
await script("src/server.tsx", "server.js", {
  // Frames are the browser's.
  define: { ...shared.define, __DIAGRAM_FRAME__: '""', "import.meta.url": '""' },
  // What the browser loads on demand never runs here.
  plugins: [{ name: "leave-out-lazy-code", resolveDynamicImport: (id) => ({ id: String(id), external: true }) }],
  resolve: stringRenderer,
});
await script("src/componentServer.tsx", "component-server.js", { resolve: stringRenderer });
// Its own encoders, not those of a browser.
await script("src/webApis.ts", "web-apis.js", {
  resolve: { conditions: ["module", "import", "default"], mainFields: ["module", "main"] },
});
await script("src/inline.ts", "inline.js", {});
await script("src/inlineTabs.ts", "inline-tabs.js", {});
await script("src/baseUrlCheck.ts", "base-url.js", {});
await script("src/offlineWorker.ts", "offline-worker.js", {});
// For copies that are opened from disk, where no module can be loaded: the whole client as one script, and one style sheet.
const offline = {
  ...shared.define,
  __OFFLINE__: "true",
  "import.meta.url": "document.baseURI",
  __DIAGRAM_FRAME__: JSON.stringify(framePage),
};
await script("src/inline.ts", "offline-inline.js", { define: offline });
await build({
  ...shared,
  define: offline,
  plugins: [pruneReact()],
  build: {
    outDir,
    emptyOutDir: false,
    target,
    cssTarget: target,
    minify: values.mode === "production",
    lib: {
      entry: join(here, "src/offlineClient.ts"),
      formats: ["iife"],
      name: "_",
      fileName: () => "offline.js",
      cssFileName: "offline",
    },
  },
});
await script("src/compileScript.ts", "compile-script.js", {});
// Goes with the wheel; the fonts of a published site name their licence themselves.
copyFileSync(join(here, "src/fonts/LICENSES.txt"), join(outDir, "font-licenses.txt"));

// The worker, which nothing loads from disk.
rmSync(join(outDir, "assets"), { recursive: true, force: true });

for (const name of [
  "server.js",
  "component-server.js",
  "web-apis.js",
  "inline.js",
  "inline-tabs.js",
  "base-url.js",
  "offline-worker.js",
  "compile-script.js",
  "offline-inline.js",
  "offline.js",
  "offline.css",
]) {
  console.log(`${name.padEnd(19)} ${statSync(join(outDir, name)).size} bytes`);
}

rmSync(finalDir, { recursive: true, force: true });
renameSync(outDir, finalDir);
