import { useColorMode as useMode } from "octavo";

export function useColorMode() {
  const colorMode = useMode();
  return { colorMode, isDarkTheme: colorMode === "dark", setColorMode: () => undefined };
}

export const ThemeClassNames = { common: {}, docs: {}, layout: {}, blog: {} };
