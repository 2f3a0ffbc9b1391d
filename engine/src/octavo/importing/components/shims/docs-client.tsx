const settings: { baseUrl?: string; docsRoute?: string } = "SETTINGS" as never;
const documents: { id: string; title: string; description: string; path: string }[] = "DOCUMENTS" as never;
const path = settings.docsRoute ?? "/docs";
const version = { name: "current", label: "Next", isLast: true, path, mainDocId: "", docs: documents.map(({ id, path }) => ({ id, path })), draftIds: [], sidebars: {} };
const byId = Object.fromEntries(documents.map(({ id, title, description }) => [id, { id, title, description }]));
const plugin = { pluginId: "default", pluginData: { path, breadcrumbs: true, versions: [version] } };

export const useActivePlugin = () => plugin;
export const useActivePluginAndVersion = () => ({ activePlugin: plugin, activeVersion: version });
export const useActiveVersion = () => version;
export const useLatestVersion = () => version;
export const useVersions = () => [version];
export const useDocsVersion = () => ({ ...version, docs: byId, version: "current", badge: false, banner: null, className: "" });
export const useDocsVersionCandidates = () => [version];
export const useDocsPreferredVersion = () => ({ preferredVersion: null, savePreferredVersionName: () => undefined });
export const useDocsPreferredVersionByPluginId = () => ({});
export const useDocVersionSuggestions = () => ({ latestDocSuggestion: undefined, latestVersionSuggestion: version });
export const useActiveDocContext = () => ({ activeVersion: version, activeDoc: undefined, alternateDocVersions: {} });
/** The page without its front matter, which no component is given; keys of its own there are findings of the pages. */
export const useDoc = () => ({ frontMatter: {}, metadata: { title: "", frontMatter: {} }, contentTitle: undefined, toc: [], assets: {} });
export const useDocById = () => undefined;
export const useDocsSidebar = () => null;
export const useSidebarBreadcrumbs = () => null;
export const useCurrentSidebarCategory = () => ({ type: "category", label: "", items: [] });
export const useCurrentSidebarSiblings = () => [];
export const useDocsData = () => plugin.pluginData;
export const useAllDocsData = () => ({ default: plugin.pluginData });
export const useDocsContextualSearchTags = () => [];
export const isDocsPluginEnabled = true;
