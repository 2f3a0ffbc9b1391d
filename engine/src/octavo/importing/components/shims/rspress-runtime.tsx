import { useColorMode, withBase } from "octavo";
import { useLocation } from "./router";

const settings: Record<string, any> = "SETTINGS" as never;

/** The language of the page: known where the site has one only. */
export function useLang(): string {
  if ((settings.languages ?? 1) > 1) throw new Error("it asks for the language of the page");
  return settings.lang ?? "en";
}

export function useI18n() {
  const lang = useLang();
  const texts = settings.texts ?? {};
  return (key: string) => texts[key]?.[lang] ?? key;
}

export const useDark = () => useColorMode() === "dark";
export const useSite = () => ({ site: { title: settings.title, description: settings.tagline, base: settings.baseUrl, themeConfig: {} } });
export const usePageData = () => ({ siteData: useSite().site, page: { title: "", frontmatter: {}, toc: [] } });
export const usePage = () => ({ page: usePageData().page });
export const useFrontmatter = () => ({ frontmatter: {} });
export const useNavigate = () => (to: string) => location.assign(to);
export const isProduction = () => true;
export const normalizeHref = (href: string) => href;
export const normalizeHrefInRuntime = normalizeHref;
export const NoSSR = ({ children }: { children?: unknown }) => <>{children}</>;
export const Head = () => null;
export { useLocation, withBase };
