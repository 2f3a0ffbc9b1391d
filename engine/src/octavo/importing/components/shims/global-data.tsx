import { useAllDocsData, useDocsData } from "./docs-client";

/** Data of other plug-ins are those of programs that are not run. */
export const useAllPluginInstancesData = (name?: string) => (name?.endsWith("content-docs") ? useAllDocsData() : {});
export const usePluginData = (name?: string) => (name?.endsWith("content-docs") ? useDocsData() : {});

export default function useGlobalData() {
  return { "docusaurus-plugin-content-docs": useAllDocsData() };
}
