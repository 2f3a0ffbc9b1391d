import { useStore } from "../../ui/store";
import { choiceStore, cycleColorMode } from "./colorMode";

/** The button that goes through the modes. Its icon hangs on the root's `data-theme-choice`: right from the first paint. */
export function ColorModeToggle() {
  const choice = useStore(choiceStore);
  const mode = `${choice ?? "system"} mode`;
  return (
    <button
      type="button"
      className="icon-button color-mode-toggle"
      title={mode}
      aria-label={`Switch between dark and light mode (currently ${mode})`}
      data-intent=""
      onClick={cycleColorMode}
    >
      <span className="icon icon-color-mode" aria-hidden="true" />
    </button>
  );
}
