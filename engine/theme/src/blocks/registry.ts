import type { Block, IslandKind } from "./block";
import { Tabs } from "./Tabs";

/** How the code of an island arrives: with the main chunk where it is small and common, else on first use. */
export type Loaders = { readonly [Kind in IslandKind]?: () => Block<Kind> | Promise<Block<Kind>> };

/** Kinds of islands that are hydrated. */
export const registry: Loaders = {
  tabs: () => Tabs,
  mermaid: () => import("./Mermaid").then((module) => module.Mermaid),
};
