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

type Children = { children?: ReactNode };

export const Pre = ({ children, className }: Children & { className?: string }) => <pre className={className}>{children}</pre>;
export const Code = ({ children }: Children) => <code>{children}</code>;
export const Bleed = ({ children }: Children) => <div>{children}</div>;
export const Collapse = ({ children }: Children) => <>{children}</>;
export const Button = ({ children, ...given }: Children & Record<string, unknown>) => (
  <button type="button" {...given}>
    {children}
  </button>
);
export const Details = ({ children }: Children) => <details>{children}</details>;
export const Summary = ({ children }: Children) => <summary>{children}</summary>;
export const Table = Object.assign(({ children }: Children) => <table>{children}</table>, {
  Td: ({ children }: Children) => <td>{children}</td>,
  Th: ({ children }: Children) => <th>{children}</th>,
  Tr: ({ children }: Children) => <tr>{children}</tr>,
});
export const ImageZoom = ({ alt = "", ...given }: { src?: string; alt?: string } & Record<string, unknown>) => (
  <img alt={alt} {...given} />
);
export const NotFoundPage = ({ content = "Submit an issue about broken link" }: { content?: ReactNode }) => (
  <>
    <h2>404: Page Not Found</h2>
    <p>{content}</p>
  </>
);

/** Parts of the frame of a page, which the theme draws. */
const nothing = () => null;
export { nothing as Head, nothing as Banner, nothing as Search, nothing as Footer, nothing as Navbar, nothing as Layout };
export { nothing as LastUpdated, nothing as ThemeSwitch, nothing as LocaleSwitch, nothing as SkipNavContent };

/** What the old site has set is not known here. */
const settings = { project: {}, chat: {}, sidebar: {}, toc: {}, feedback: {}, frontMatter: {} };
export const useConfig = () => settings;
export const useThemeConfig = () => settings;
export const useMenu = () => ({ menu: false, setMenu: () => undefined });
export const useTheme = () => ({ theme: "system", resolvedTheme: "light", themes: ["light", "dark"], setTheme: () => undefined });
export const useMDXComponents = (given?: Record<string, unknown>) => given ?? {};
