// Runs a configuration file of another engine: CommonJS over a table of files, stand-ins for all packages.
// `octavoRun(files, entry, args, root)` starts it, `octavoAnswer()` gives {value | error, missing, lost} as JSON: paths to try next, and files that are not there.
(() => {
  const state = { missing: [], lost: [], value: undefined, error: undefined, done: false };
  const SUFFIXES = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".tsx", ".jsx", ".json",
    "/index.ts", "/index.js", "/index.mjs", "/index.cjs", "/index.json"];
  const STUB = Symbol("stub");
  const GIVEN = Symbol("given");
  const SPREAD = Symbol("spread");

  /** The values that `const [a, b] = name` takes out of a stub. Where all are taken, it was spread into a list, which is left as it is without them. */
  function* pieces(name, given) {
    // A program that goes down a tree, such as one of a file that is not there, would never come to its end.
    if ((name.match(/\[\d\]/g) ?? []).length >= 3) return;
    const made = [];
    for (let at = 0; at < 8; at++) {
      const one = stub(`${name}[${at}]`, false, given);
      const piece = new Proxy(one, { get: (target, key) => (key === SPREAD ? made.isSpread === true : Reflect.get(target, key)) });
      made.push(piece);
      yield piece;
    }
    made.isSpread = true;
  }

  /** A value that can be called, constructed, looked into and iterated, and is left out of JSON. */
  function stub(name, isSettled = false, given = []) {
    const target = function () {};
    return new Proxy(target, {
      get(_, key) {
        if (key === STUB) return name;
        if (key === GIVEN) return given;
        // Compiled code calls what it has imported this way.
        if (key === "call") return (_, ...args) => stub(`${name}()`, false, [...given, ...args]);
        if (key === Symbol.toPrimitive) return () => "";
        if (key === Symbol.iterator) return () => pieces(name, given);
        if (key === SPREAD) return undefined;
        if (key === "toJSON" || key === "length") return undefined;
        // What a package promises is there at once, so that `await` and `.then(…)` both go on.
        if (key === "then") {
          if (isSettled || !name.endsWith(")")) return undefined;
          return (settle) => (typeof settle === "function" ? settle(stub(name, true, given)) : stub(name, true, given));
        }
        if (key === "prototype") return target.prototype;
        if (typeof key === "symbol") return undefined;
        return stub(`${name}.${key}`);
      },
      has: () => true,
      apply: (_, __, args) => stub(`${name}()`, false, [...given, ...args]),
      construct: () => stub(`new ${name}`),
    });
  }

  /** What a function of a package was given as a whole configuration, such as `withPwa({…})`: what it adds is not known. */
  function unwrapped(value, depth = 0) {
    if (value?.[STUB] === undefined || depth > 8) return value;
    const given = value[GIVEN].map((one) => unwrapped(one, depth + 1)).filter((one) => one && typeof one === "object" && !Array.isArray(one));
    return given.length ? Object.assign({}, ...given, { $package: String(value[STUB]) }) : value;
  }

  function normalize(path) {
    const parts = [];
    for (const part of path.split("/")) {
      if (part === "" || part === ".") continue;
      if (part === ".." && parts.length && parts[parts.length - 1] !== "..") parts.pop();
      else parts.push(part);
    }
    return parts.join("/");
  }
  const dirname = (path) => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");

  function pathModule(here, root) {
    const clean = (path) => (path.startsWith("/") ? "/" : "") + normalize(path) || ".";
    const path = {
      sep: "/",
      delimiter: ":",
      join: (...parts) => clean(parts.filter(Boolean).map(String).join("/")),
      resolve: (...parts) => {
        let found = "";
        for (const part of parts.map(String)) found = part.startsWith("/") ? part : `${found}/${part}`;
        return `/${normalize(found.startsWith(root) || String(parts[0] ?? "").startsWith("/") ? found : `${here}/${found}`)}`;
      },
      dirname: (path) => dirname(String(path)) || ".",
      basename: (path, suffix = "") => {
        const name = String(path).split("/").pop();
        return suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
      },
      extname: (path) => /\.[^./]*$/.exec(String(path))?.[0] ?? "",
      relative: (from, to) => {
        const [start, end] = [path.resolve(String(from)), path.resolve(String(to))].map((one) => one.split("/").filter(Boolean));
        while (start.length && start[0] === end[0]) [start, end].forEach((one) => one.shift());
        return [...start.map(() => ".."), ...end].join("/");
      },
      normalize: clean,
      isAbsolute: (path) => String(path).startsWith("/"),
      parse: (path) => ({ base: String(path).split("/").pop(), dir: dirname(String(path)) }),
    };
    path.posix = path;
    path.default = path;
    return path;
  }

  globalThis.octavoRun = (files, entry, args, root, cwd = "") => {
    const here = cwd ? `${root}/${cwd}` : root;
    const cache = {};
    const inside = (path) => {
      const text = String(path?.pathname ?? path).replace(/^file:\/\//, "");
      return text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text.startsWith("/") ? null : normalize(cwd ? `${cwd}/${text}` : text);
    };
    const has = (name) => {
      if (!(name in files)) state.missing.push(name);
      return typeof files[name] === "string";
    };
    /** Names in a folder, those of folders with a slash at their end; null where there is no such folder. */
    const namesIn = (path) => {
      const name = inside(path);
      if (name === null || name.startsWith("..")) return null;
      const folder = `${name.replace(/\/+$/, "") || "."}/`;
      return has(folder) ? files[folder].split("\n").filter(Boolean) : null;
    };
    const isFolder = (path) => namesIn(path) !== null;
    const isFile = (path) => inside(path) !== null && has(inside(path));
    const statSync = (path) => ({ isDirectory: () => isFolder(path), isFile: () => isFile(path), isSymbolicLink: () => false });
    const readdirSync = (path, options = {}) => {
      const found = [];
      const collect = (folder, prefix) => {
        for (const one of namesIn(folder) ?? []) {
          const name = one.replace(/\/$/, "");
          const entry = { name, path: folder, parentPath: folder, isDirectory: () => one !== name, isFile: () => one === name, isSymbolicLink: () => false };
          found.push(options?.withFileTypes ? entry : prefix + name);
          if (options?.recursive && one !== name) collect(`${folder}/${name}`, `${prefix}${name}/`);
        }
      };
      collect(String(path?.pathname ?? path), "");
      return found;
    };
    const fs = {
      existsSync: (path) => isFile(path) || isFolder(path),
      readFileSync: (path) => {
        const name = inside(path);
        if (name !== null && has(name)) return files[name];
        throw new Error(`${path} cannot be read`);
      },
      readdirSync,
      statSync,
      lstatSync: statSync,
    };
    fs.promises = {
      readFile: async (path) => fs.readFileSync(path),
      readdir: async (...given) => readdirSync(...given),
      stat: async (path) => statSync(path),
    };
    fs.globSync = (patterns, options) => listed(patterns, options, { withFolders: true });
    fs.default = fs;
    // Some configurations use it without an import.
    globalThis.fs = fs;
    const path = pathModule(here, root);
    const url = {
      fileURLToPath: (address) => String(address?.pathname ?? address).replace(/^file:\/\//, ""),
      pathToFileURL: (path) => ({ href: `file://${path}`, pathname: path }),
      get URL() { return globalThis.URL; },
    };
    url.default = url;
    const identity = (value) => value;
    // Of what is written in React, settings have the text.
    const textOf = (one) =>
      Array.isArray(one) ? one.map(textOf).join("") : ["string", "number"].includes(typeof one) ? String(one) : "";
    globalThis.React = { createElement: (type, properties, ...children) => textOf(children), Fragment: "" };
    // A pattern of files, with stars and braces.
    const matcher = (pattern) =>
      new RegExp(`^${normalize(pattern).split(/(\*\*\/|\*|\{[^{}]*\}|\?)/).map((part) =>
        part === "**/" ? "(?:.*/)?" : part === "*" ? "[^/]*" : part === "?" ? "[^/]"
          : part.startsWith("{") ? `(?:${part.slice(1, -1).split(",").map((one) => one.replace(/[.+^$()|[\]\\]/g, "\\$&").replace(/\*/g, "[^/]*")).join("|")})`
            : part.replace(/[.+^${}()|[\]\\]/g, "\\$&")).join("")}$`);
    /** Of VitePress: a function of all pages. What it draws of them is not there. */
    const createContentLoader = (patterns, { includeSrc = false, render = false, excerpt = false, transform = identity } = {}) =>
      (pages) => {
        if (render || excerpt) throw new Error("it asks for pages that are drawn");
        const wanted = [patterns].flat().map(matcher);
        const found = pages.filter(({ path }) => wanted.some((one) => one.test(path)));
        return transform(found.map(({ url, src, frontmatter }) => ({ url, frontmatter, src: includeSrc ? src : undefined })));
      };
    const known = {
      react: { __esModule: true, default: globalThis.React, ...globalThis.React },
      module: { createRequire: () => (request) => stub(request) },
      path, url, fs, "fs-extra": fs, "fs/promises": fs.promises,
      process: { env: {}, cwd: () => here, argv: [], platform: "linux" },
      // Packages whose functions hand on what they are given.
      "astro/config": { defineConfig: identity, fontProviders: stub("fontProviders"), passthroughImageService: identity },
      "@astrojs/starlight": { __esModule: true, default: (options) => ({ name: "@astrojs/starlight", options }) },
      "starlight-sidebar-topics": { __esModule: true, default: (topics, options) => ({ name: "starlight-sidebar-topics", topics, options }) },
      vitepress: { defineConfig: identity, defineConfigWithTheme: identity, defineAdditionalConfig: identity, createContentLoader, defineLoader: identity },
      nextra: { __esModule: true, default: () => identity }, "@next/mdx": { __esModule: true, default: () => identity },
      "@next/bundle-analyzer": { __esModule: true, default: () => identity },
      "fumadocs-mdx/next": { createMDX: () => identity }, "@theguild/components/next.config": { withGuildDocs: identity },
      "@rspress/core": { defineConfig: identity }, "rspress/config": { defineConfig: identity },
      vocs: { defineConfig: identity }, "vocs/config": { defineConfig: identity },
      vuepress: { defineUserConfig: identity, defineConfig: identity }, "vuepress/config": { defineUserConfig: identity, defineConfig: identity },
      "@vuepress/theme-default": { defaultTheme: identity },
      // Their options say which marks pages have.
      "@vuepress/plugin-markdown-ext": { markdownExtPlugin: identity },
      "@vuepress/plugin-markdown-math": { markdownMathPlugin: (options) => ({ ...options, math: true }) },
      "@vuepress/plugin-markdown-stylize": { markdownStylizePlugin: identity },
      "vuepress-plugin-md-enhance": { mdEnhancePlugin: identity },
      "@vuepress/plugin-container": { containerPlugin: (options) => ["container", options] }, "@vuepress/plugin-markdown-container": { markdownContainerPlugin: (options) => ["container", options] },
      "vuepress-theme-hope": { hopeTheme: identity, navbar: identity, sidebar: identity, arraySidebar: identity },
      "vuepress-theme-plume": { plumeTheme: identity, defineNavbarConfig: identity },
      "nuxt/config": { defineNuxtConfig: identity }, vite: { defineConfig: identity },
      "@lunariajs/starlight": { __esModule: true, default: stub("lunaria") },
      "vitepress-plugin-mermaid": { withMermaid: identity },
      "@unocss/vite": { default: stub("unocss") },
      ...listing(),
    };
    known["astro/config"].envField = stub("envField");
    // `require("nextra")(…)`: a module whose only export is its default may be called itself.
    for (const [name, one] of Object.entries(known)) {
      if (one?.__esModule && typeof one.default === "function" && one[STUB] === undefined) {
        known[name] = Object.assign((...given) => one.default(...given), one);
      }
    }

    // What these packages export besides is a stand-in, as all of any other package is.
    for (const [name, one] of Object.entries(known)) {
      if (one[STUB] !== undefined) continue;
      known[name] = new Proxy(one, {
        get: (module, key) =>
          key in module || typeof key === "symbol" || ["__esModule", "default", "then", "toJSON"].includes(key)
            ? module[key]
            : stub(`${name}.${key}`),
      });
    }

    function find(from, request) {
      const base = request.startsWith("/") ? inside(request) : normalize(`${dirname(from)}/${request}`);
      if (base === null || base.startsWith("..")) return null;
      for (const suffix of SUFFIXES) {
        const name = base + suffix;
        if (!(name in files)) { state.missing.push(name); continue; }
        if (typeof files[name] === "string") return name;
      }
      // `./theme.js` may stand for `theme.ts`.
      const other = base.replace(/\.(m|c)?js$/, ".$1ts");
      if (other !== base) {
        if (!(other in files)) state.missing.push(other);
        else if (typeof files[other] === "string") return other;
      }
      return null;
    }

    /** Write a pattern of files as a regular expression. */
    function patternOf(pattern) {
      const parts = { "**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|" };
      return new RegExp(`^${pattern.replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (one) => parts[one] ?? `\\${one}`)}$`);
    }

    /** `import.meta.glob` of Vite: path as the pattern is written → the module, or what loads it. */
    function glob(from, patterns, options = {}) {
      const placed = [patterns].flat().map(String).map((one) => {
        const path = one.replace(/^!/, "");
        const place = path.startsWith("/") ? inside(`${here}${path}`) : normalize(`${dirname(from)}/${path}`);
        return { isOut: one.startsWith("!"), place, path };
      });
      const outside = placed.filter((one) => one.isOut).map((one) => patternOf(one.place));
      const found = {};
      for (const { isOut, place, path } of placed) {
        if (isOut || place.startsWith("..")) continue;
        const start = dirname(place.replace(/[*?{].*$/, ""));
        const pattern = patternOf(place);
        const isDeep = place.slice(start.length).replace(/^\//, "").includes("/");
        for (const name of filesBelow(start, isDeep)) {
          if (!pattern.test(name) || outside.some((one) => one.test(name)) || !has(name)) continue;
          const back = path.startsWith("/") ? `/${name.slice(cwd ? cwd.length + 1 : 0)}` : relativeTo(dirname(from), name);
          const read = () => {
            const module = options.query === "?raw" || options.as === "raw" ? { default: files[name] } : withDefault(load(name));
            return options.import === undefined ? module : module[options.import];
          };
          found[back] = options.eager ? read() : () => Promise.resolve(read());
        }
      }
      return found;
    }

    function* filesBelow(folder, isDeep) {
      for (const one of entriesBelow(folder, isDeep)) if (!one.endsWith("/")) yield one;
    }

    /** Paths of what is in a folder, those of folders with a slash at their end. */
    function* entriesBelow(folder, isDeep) {
      for (const one of namesIn(`${root}/${folder}`) ?? []) {
        const path = `${folder ? `${folder}/` : ""}${one}`;
        const isHidden = one === "node_modules/" || one.startsWith(".");
        if (!one.endsWith("/") || !isHidden) yield path;
        if (one.endsWith("/") && isDeep && !isHidden) yield* entriesBelow(path.slice(0, -1), true);
      }
    }

    /** Files, or folders, that patterns mean from the folder `cwd`. */
    function listed(given, options = {}, { withFolders = false, endOfFolders = "" } = {}) {
      const base = path.resolve(String(options?.cwd?.pathname ?? options?.cwd ?? here));
      const placed = (one) => inside(one.startsWith("/") ? one : `${base}/${one}`);
      const all = [given].flat().map(String);
      const unwanted = [...all.filter((one) => one.startsWith("!")).map((one) => one.slice(1)), ...[options?.ignore ?? options?.exclude ?? []].flat()]
        .filter((one) => typeof one === "string").map((one) => patternOf(normalize(placed(one) ?? one)));
      const found = new Set();
      for (const one of all) {
        const place = one.startsWith("!") ? null : normalize(placed(one) ?? "..");
        if (place === null || place.startsWith("..")) continue;
        const start = dirname(place.replace(/[*?{[].*$/, ""));
        const pattern = patternOf(place);
        const isDeep = place.slice(start.length).replace(/^\//, "").includes("/");
        for (const entry of entriesBelow(start, isDeep)) {
          const name = entry.replace(/\/$/, "");
          const isFolder = entry !== name;
          if (isFolder ? !(withFolders || options?.onlyDirectories || options?.onlyFiles === false) : options?.onlyDirectories) continue;
          if (!pattern.test(name) || unwanted.some((other) => other.test(name))) continue;
          found.add((options?.absolute ? `${root}/${name}` : path.relative(base, `${root}/${name}`)) + (isFolder ? endOfFolders : ""));
        }
      }
      return [...found].sort();
    }

    /** Packages that list files by patterns. */
    function listing() {
      const of = (settings) => {
        const sync = (patterns, options) => listed(patterns, options, settings);
        const later = async (...given) => sync(...given);
        Object.assign(later, { sync, globSync: sync, globbySync: sync, glob: later, globby: later, async: later, __esModule: true, default: later });
        return later;
      };
      return { "fast-glob": of({}), globby: of({}), glob: of({ withFolders: true }), tinyglobby: of({ endOfFolders: "/" }) };
    }

    function relativeTo(folder, name) {
      const [left, right] = [folder.split("/").filter(Boolean), name.split("/")];
      while (left.length && left[0] === right[0]) [left, right].forEach((one) => one.shift());
      return `${left.length ? "../".repeat(left.length) : "./"}${right.join("/")}`;
    }

    function compiled(name) {
      try {
        return compileScript(files[name], name);
      } catch (error) {
        const { line, column } = error.loc ?? {};
        const message = String(error.message).replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
        throw new Error(line === undefined ? message : `${name}:${line}:${column}: ${message}`);
      }
    }

    // What loads configurations for Docusaurus gives the fields of a default export as those of the module: `require("./a").items`.
    function withDefault(exports) {
      const isModule = exports?.__esModule === true && "default" in exports;
      if (!isModule) return exports;
      return new Proxy(exports, {
        get: (module, key) => (key in module || typeof key === "symbol" || key === "then" ? module[key] : module.default?.[key]),
      });
    }

    function load(name) {
      if (name in cache) return cache[name].exports;
      const module = { exports: {}, id: name, filename: `${root}/${name}` };
      cache[name] = module;
      if (name.endsWith(".json")) {
        module.exports = JSON.parse(files[name]);
        return module.exports;
      }
      const require = (request) => {
        const plain = String(request).replace(/^node:/, "");
        if (Object.hasOwn(known, plain)) return known[plain];
        if (/^[./]/.test(plain)) {
          const found = find(name, plain);
          if (found !== null && !/\.(css|scss|svg|png|vue|astro)$/.test(found)) return withDefault(load(found));
          if (found === null && !plain.startsWith("/")) state.lost.push(normalize(`${dirname(name)}/${plain}`));
        }
        return stub(plain);
      };
      require.resolve = (request) => (String(request).startsWith(".") ? `${root}/${normalize(`${dirname(name)}/${request}`)}` : request);
      require.cache = {};
      const meta = { url: `file://${root}/${name}`, dirname: `${root}/${dirname(name)}`, filename: module.filename, env: {}, glob: (...given) => glob(name, ...given) };
      // V8 runs it as a script, which knows no import.meta.
      const code = compiled(name)
        .replace(/\bimport\.meta\b/g, "__importMeta")
        // Imports have become calls of `require`: one that the file makes for itself goes by another name.
        .replace(/\b(const|let|var)\s+require\b/g, "$1 __ownRequire");
      const parameters = ["exports", "require", "module", "__filename", "__dirname", "__importMeta", "process", "console", "setTimeout"];
      const process = { env: {}, cwd: () => here, argv: [], platform: "linux", exit() {}, on() {}, versions: {}, version: "v22.0.0" };
      const silent = { log() {}, warn() {}, error() {}, info() {}, debug() {} };
      const given = [module.exports, require, module, module.filename, `${root}/${dirname(name)}`.replace(/\/$/, ""), meta, process, silent, () => 0];
      // In a block of its own, so that it may declare a `require` or `__dirname` itself.
      const body = `{${code}\n}`;
      let run;
      try {
        run = new Function(...parameters, body);
      } catch (error) {
        if (!(error instanceof SyntaxError) || !/await/.test(code)) throw error;
        const AsyncFunction = (async () => {}).constructor;
        run = new AsyncFunction(...parameters, body);
      }
      module.pending = run(...given);
      return module.exports;
    }

    // There is no network: what is asked of it is a stand-in, as what packages give.
    for (const name of ["fetch", "Buffer", "AbortController", "AbortSignal", "Headers", "Request", "TextEncoder", "TextDecoder", "performance", "crypto",
      "navigator", "btoa", "atob"]) {
      globalThis[name] ??= stub(name);
    }
    // Nuxt knows these without an import.
    globalThis.defineNuxtConfig ??= globalThis.defineAppConfig ??= identity;
    globalThis.structuredClone ??= (value) => JSON.parse(JSON.stringify(value));

    // A language that is written in another way than browsers know it keeps its code for a name.
    const { DisplayNames } = Intl;
    Intl.DisplayNames = function (locales, options) {
      let names;
      try { names = new DisplayNames(locales, options); } catch { names = new DisplayNames("en", { type: "language", ...options }); }
      this.of = (code) => { try { return names.of(code); } catch { return code; } };
    };

    globalThis.URL ??= class {
      constructor(path, base) {
        const given = String(base?.href ?? base ?? "");
        const host = /^[a-z]+:\/\/[^/]*/.exec(given)?.[0] ?? "file://";
        const folder = String(path).startsWith("/") ? "" : given.slice(host.length).replace(/[^/]*$/, "");
        this.href = /^[a-z]+:/.test(path) ? String(path) : `${host}/${normalize(`${folder}/${path}`)}`;
        this.pathname = this.href.replace(/^[a-z]+:\/\/[^/]*/, "");
        this.hostname = this.host = /^[a-z]+:\/\/([^/]*)/.exec(this.href)?.[1] ?? "";
        this.origin = this.href.slice(0, this.href.length - this.pathname.length);
      }
      toString() { return this.href; }
      toJSON() { return this.href; }
    };

    // Modules that wait for something have no exports yet when others import them: these run again when they have.
    async function settle() {
      for (let turn = 0; turn < 8; turn++) {
        let failure;
        try {
          load(entry);
        } catch (error) {
          failure = error;
        }
        const waiting = Object.entries(cache).filter(([name, one]) => name !== entry && one.pending && !one.isSettled);
        if (!waiting.length) {
          if (failure) throw failure;
          return cache[entry].pending;
        }
        for (const [, one] of waiting) {
          await one.pending.catch(() => undefined);
          one.isSettled = true;
        }
        for (const name of Object.keys(cache)) {
          if (name === entry || !cache[name].pending) delete cache[name];
        }
      }
    }

    (async () => {
      await settle();
      let value = cache[entry].exports;
      if (value?.default !== undefined && value[STUB] === undefined) value = value.default;
      // A function may give a promise, and a promise a function.
      for (let turn = 0; turn < 3; turn++) {
        value = await value;
        value = unwrapped(value);
        if (typeof value === "function" && value[STUB] === undefined) value = value(...args);
      }
      // What Next.js asks for itself.
      if (typeof value?.redirects === "function" && value.redirects[STUB] === undefined) {
        value = { ...value, redirects: await value.redirects() };
      }
      state.value = value;
      state.done = true;
    })().catch((error) => {
      // The lines of V8's stack are those of the compiled code, which nobody has written.
      state.error = String(error).split("\n")[0];
      state.done = true;
    });
  };

  globalThis.octavoAnswer = () => {
    const seen = [];
    const clean = (value, depth) => {
      if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
      if (typeof value === "function") return value[STUB] === undefined ? undefined : { $package: String(value[STUB]) };
      if (typeof value !== "object" || depth > 60 || seen.includes(value)) return undefined;
      if (value instanceof RegExp || value instanceof Date) return String(value);
      if (typeof value.toJSON === "function") return value.toJSON();
      seen.push(value);
      const result = Array.isArray(value)
        ? value.filter((one) => one?.[SPREAD] !== true).map((one) => clean(one, depth + 1) ?? null)
        : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clean(one, depth + 1)]));
      seen.pop();
      return result;
    };
    const missing = [...new Set(state.missing)];
    if (state.error !== undefined) return JSON.stringify({ error: state.error, missing });
    if (!state.done) return JSON.stringify({ error: "it waits for something that never comes", missing });
    return JSON.stringify({ value: clean(state.value, 0), missing, lost: [...new Set(state.lost)] });
  };
})();
