// Modules of authors, as the build has compiled them. They run the same on both sides.

/** A compiled module: the body of a function of CommonJS. */
export interface AuthorModule {
  /** Path from the site's folder. */
  readonly path: string;
  /** What it imports from the site: name as it is written → module. */
  readonly needs: Readonly<Record<string, AuthorModule>>;
  readonly run: (exports: Exports, require: (name: string) => unknown, module: { exports: Exports }) => void;
}

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>;

const results = new Map<AuthorModule, { exports: Exports }>();

/** Run a module, once, after what it imports; `find` gives the modules that are not the author's. */
export function runModule(module: AuthorModule, find: (name: string) => unknown): Exports {
  const known = results.get(module);
  if (known !== undefined) return known.exports;
  const result: { exports: Exports } = { exports: {} };
  // Before it runs: modules may import each other.
  results.set(module, result);
  try {
    module.run(
      result.exports,
      (name) => {
        const needed = module.needs[name];
        return needed === undefined ? find(name) : runModule(needed, find);
      },
      result,
    );
  } catch (error) {
    results.delete(module);
    throw error;
  }
  return result.exports;
}
