import { MODE_PICTURES } from "../../ui/pictures";
import { useStore } from "../../ui/store";
import { choiceStore, cycleColorMode } from "./colorMode";
import { word } from "../../ui/words";

/** The button that goes through the modes. Its icon hangs on the root's `data-theme-choice`: right from the first paint. */
export function ColorModeToggle() {
  const choice = useStore(choiceStore);
  const mode = word(`mode.${choice ?? "system"}`);
  return (
    <button
      type="button"
      className="icon-button color-mode-toggle"
      title={mode}
      aria-label={word("mode.switch", { mode })}
      data-intent=""
      onClick={cycleColorMode}
    >
      <svg className="icon icon-color-mode" viewBox="0 0 24 24" aria-hidden="true">
        <path className="mode-system" d={MODE_PICTURES.system} />
        <path className="mode-light" d={MODE_PICTURES.light} />
        <path className="mode-dark" d={MODE_PICTURES.dark} />
      </svg>
    </button>
  );
}
