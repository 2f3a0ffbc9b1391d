import { readOfflineFile } from "../../../data/offlineCopy";
import { FORMAT } from "./criteria.gen";
import { StaticSearch } from "./answer";
import { type RootFile, Store } from "./store";

/** Where the files of an index are. */
export interface Place {
  /** Address of their folder, with a slash at the end. */
  folder: string;
  /** Name of the root. */
  root: string;
}

/** Open an index. Rejects where its root cannot be loaded, or is of another format. */
export async function openStatic({ folder, root }: Place): Promise<StaticSearch> {
  const load = async (name: string): Promise<unknown> => {
    if (__OFFLINE__) return readOfflineFile(`${folder}${name}.json`);
    const response = await fetch(`${folder}${name}.json`);
    if (!response.ok) throw new Error(`${name} of the search index: status ${response.status}`);
    return response.json();
  };
  const content = (await load(root)) as RootFile;
  if (content.format !== FORMAT) throw new Error("The search index is of another version");
  return new StaticSearch(new Store(content, load));
}
