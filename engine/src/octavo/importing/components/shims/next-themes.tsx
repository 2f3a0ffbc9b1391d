import { useColorMode } from "octavo";
import type { ReactNode } from "react";

export function useTheme() {
  const mode = useColorMode();
  return { theme: mode, resolvedTheme: mode, systemTheme: mode, themes: ["light", "dark"], setTheme: () => undefined };
}

export function ThemeProvider({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
