import { useSyncExternalStore } from "react";
import { modeStore } from "../../features/color-mode/colorMode";
import { getCurrent } from "../../data/current";
import { DRAWN_MODE, publicModules } from "./publicModules";

/** The modules that components may import, in the browser. */
export const findPublic = publicModules({
  withBase: (path) => getCurrent().site.baseUrl + path.replace(/^\//, ""),
  // What the build has drawn comes first: with another mode React would find a difference, and draw anew.
  useColorMode: () => useSyncExternalStore(modeStore.subscribe, modeStore.get, () => DRAWN_MODE),
});
