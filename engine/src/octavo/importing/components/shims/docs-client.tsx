const version = { name: "current", label: "Next", isLast: true, path: "/", mainDocId: "", docs: [], draftIds: [] };

export const useActivePlugin = () => undefined;
export const useActiveVersion = () => version;
export const useLatestVersion = () => version;
export const useVersions = () => [version];
export const useDocsVersion = () => ({ version: "current", label: "Next", isLast: true, badge: false });
export const useDocsPreferredVersion = () => ({ preferredVersion: null, savePreferredVersionName: () => undefined });
export const useActiveDocContext = () => ({ activeVersion: version, activeDoc: undefined, alternateDocVersions: {} });
/** The page without its front matter, which no component is given; keys of its own there are findings of the pages. */
export const useDoc = () => ({ frontMatter: {}, metadata: { title: "", frontMatter: {} }, contentTitle: undefined, toc: [], assets: {} });
export const useDocsSidebar = () => null;
export const useAllDocsData = () => ({});
