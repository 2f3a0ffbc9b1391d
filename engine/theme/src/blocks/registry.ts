import { asBlock, type Block } from "./block";
import { Tabs } from "./Tabs";

/** How the code of an island arrives: with the main chunk where it is small and common, else on first use. */
type Loader = () => Block | Promise<Block>;

/** Kinds of island that live on the client. */
export const registry: Partial<Record<string, Loader>> = {
  tabs: () => asBlock(Tabs),
  mermaid: () => import("./Mermaid").then((module) => asBlock(module.Mermaid)),
};
