export default function useGlobalData() {
  return {};
}

export const usePluginData = () => ({});
export const useAllPluginInstancesData = () => ({});
