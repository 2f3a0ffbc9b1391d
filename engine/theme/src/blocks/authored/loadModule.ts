import type { AuthorModule } from "./modules";
import { readOfflineModule } from "./offlineModules";

/** Load a module of an author by its path on the site. */
export function loadModule(address: string): Promise<AuthorModule> {
  return __OFFLINE__ ? readOfflineModule(address) : (import(/* @vite-ignore */ address) as Promise<AuthorModule>);
}
