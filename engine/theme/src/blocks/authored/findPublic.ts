import { modeStore } from "../../features/color-mode/colorMode";
import { getCurrent } from "../../data/current";
import { useStore } from "../../ui/store";
import { publicModules } from "./publicModules";

/** The modules that components may import, in the browser. */
export const findPublic = publicModules({
  withBase: (path) => getCurrent().site.baseUrl + path.replace(/^\//, ""),
  useColorMode: () => useStore(modeStore),
});
