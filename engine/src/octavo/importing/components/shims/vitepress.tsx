import { withBase } from "octavo";

const settings: Record<string, any> = "SETTINGS" as never;
const box = (value: any) => ({ __isRef: true, value });

export { withBase };
export const inBrowser = typeof window !== "undefined";
export const onContentUpdated = () => undefined;
export const defineClientComponent = () => () => null;
export const Content = () => null;
export const useRoute = () => ({ path: inBrowser ? location.pathname : "/", data: { frontmatter: {} } });
export const useRouter = () => ({ route: useRoute(), go: (to: string) => location.assign(to) });

export function useData() {
  const site = { title: settings.title, description: settings.tagline, base: settings.baseUrl, lang: settings.lang ?? "en", themeConfig: settings.themeConfig ?? {} };
  return {
    site: box(site), theme: box(site.themeConfig), title: box(site.title), description: box(site.description), lang: box(site.lang),
    page: box({ relativePath: "", frontmatter: {}, headers: [] }), frontmatter: box({}), params: box({}), isDark: box(false), dir: box("ltr"), localeIndex: box("root"), hash: box(""),
  };
}
