import { useColorMode as useMode } from "octavo";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import useDocusaurusContext from "./context";
import { useLocation } from "./router";

export * from "./docs-client";
export { default as Details } from "./details";

interface Given {
  children?: ReactNode;
}

export function useColorMode() {
  const colorMode = useMode();
  return { colorMode, colorModeChoice: colorMode, isDarkTheme: colorMode === "dark", setColorMode: () => undefined };
}

export const ThemeClassNames = { common: {}, docs: {}, layout: {}, page: {}, wrapper: {}, blog: {} };
export const useThemeConfig = () => useDocusaurusContext().siteConfig.themeConfig;
export const usePrismTheme = () => ({ plain: {}, styles: [] });
export const useLocalPathname = () => useLocation().pathname;
export const useIsomorphicLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;
export const useWindowSize = () => "desktop";
export const useTOCHighlight = () => undefined;
export const useHistorySelector = () => undefined;
export const useQueryString = (_key: string) => useState("");
export const useQueryStringValue = () => null;
export const useSearchPage = () => ({ searchQuery: "", setSearchQuery: () => undefined, generateSearchPageLink: () => "/search" });
export const useSearchQueryString = () => useState("");
export const useTabGroupChoice = () => ({ ready: true, tabGroupChoices: {}, setTabGroupChoices: () => undefined });
export const useAnnouncementBar = () => ({ isActive: false, close: () => undefined });
export const useEvent = <T extends (...given: never[]) => unknown>(callback: T) => callback;

export function usePrevious<T>(value: T): T | undefined {
  const last = useRef<T | undefined>(undefined);
  useEffect(() => {
    last.current = value;
  });
  return last.current;
}

export function useCollapsible({ initialState }: { initialState: boolean | (() => boolean) }) {
  const [collapsed, setCollapsed] = useState(initialState);
  return { collapsed, setCollapsed, toggleCollapsed: () => setCollapsed((was) => !was) };
}

export function Collapsible({ collapsed, children }: Given & { collapsed?: boolean }) {
  return <div hidden={collapsed}>{children}</div>;
}

export function usePluralForm() {
  return {
    selectMessage(count: number, forms: string) {
      const all = forms.split("|");
      return (all.length > 1 && count !== 1 ? all[all.length - 1] : all[0])!;
    },
  };
}

const pass = ({ children }: Given) => <>{children}</>;
const nothing = () => null;
export const HtmlClassNameProvider = pass;
export const PluginHtmlClassNameProvider = pass;
export const ColorModeProvider = pass;
export const PageMetadata = nothing;
export const SkipToContentLink = nothing;
export const isRegexpStringMatch = (pattern?: string, value?: string) =>
  pattern !== undefined && value !== undefined && new RegExp(pattern, "gi").test(value);
export const isSamePath = (one?: string, other?: string) => one?.replace(/\/$/, "") === other?.replace(/\/$/, "");
export const duplicates = <T,>(values: readonly T[]) => values.filter((one, index) => values.indexOf(one) !== index);
export const uniq = <T,>(values: readonly T[]) => [...new Set(values)];
export const listTagsByLetters = () => [];
export const isMultiColumnFooterLinks = (links: object[]) => "title" in (links[0] ?? {});
export const splitNavbarItems = <T extends { position?: string }>(items: T[]) =>
  [items.filter((one) => one.position === "left"), items.filter((one) => one.position !== "left")] as const;
export const translateTagsPageTitle = () => "Tags";
export const parseCodeBlockTitle = (meta?: string) => /title=(["'])(.*?)\1/.exec(meta ?? "")?.[2] ?? "";
export const getPrismCssVariables = () => ({});
export const processAdmonitionProps = <T,>(given: T) => given;
