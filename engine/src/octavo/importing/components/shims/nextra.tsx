import type { ReactNode } from "react";
import Admonition from "./admonition";
import { Card, CardGrid, Steps } from "./starlight";
import TabItem from "./tab-item";
import Frame from "./tabs";

const KINDS: Record<string, string> = { default: "tip", error: "danger" };

export function Callout({ type = "default", emoji, title, children }: { type?: string; emoji?: ReactNode; title?: ReactNode; children?: ReactNode }) {
  return (
    <Admonition type={KINDS[type] ?? type} title={title}>
      {children}
    </Admonition>
  );
}

export const Cards = Object.assign(CardGrid, { Card });
export const Tabs = Object.assign(Frame, { Tab: TabItem });
export { Card, Steps, TabItem as Tab };
