// Modules of authors in a copy on a disk, where browsers load classic scripts only; written by `offline_script`.
import { readOfflineFile } from "../../data/offlineCopy";
import type { AuthorModule } from "./modules";

interface Written {
  readonly path: string;
  /** Name as it is written → address of the module, from the folder of the copy. */
  readonly needs: Readonly<Record<string, string>>;
  readonly run: AuthorModule["run"];
}

const written = new Map<string, Promise<Written>>();
const linked = new Map<string, AuthorModule>();

/** Read a module, and those that it needs; `address` is its path on the site. */
export async function readOfflineModule(address: string): Promise<AuthorModule> {
  const base = document.documentElement.dataset.base ?? "/";
  const files = new Map<string, Written>();
  const readAll = async (name: string): Promise<void> => {
    let file = written.get(name);
    if (file === undefined) written.set(name, (file = readOfflineFile(base + name) as Promise<Written>));
    files.set(name, await file);
    // Modules may need each other.
    for (const needed of Object.values((await file).needs)) if (!files.has(needed)) await readAll(needed);
  };
  const first = address.slice(base.length);
  await readAll(first);
  return link(first, files);
}

function link(name: string, files: ReadonlyMap<string, Written>): AuthorModule {
  const known = linked.get(name);
  if (known !== undefined) return known;
  const file = files.get(name);
  if (file === undefined) throw new Error(`${name} is missing in this copy.`);
  const needs: Record<string, AuthorModule> = {};
  const module: AuthorModule = { path: file.path, needs, run: file.run };
  linked.set(name, module);
  for (const [written, address] of Object.entries(file.needs)) needs[written] = link(address, files);
  return module;
}
