import { Icon } from "../../ui/Icon";
import { useStore } from "../../ui/store";
import { drawerStore, openDrawer } from "./drawerState";
import { word } from "../../ui/words";

/** The hamburger; the style sheet shows it below the desktop breakpoint. */
export function DrawerButton() {
  return (
    <button
      type="button"
      className="icon-button drawer-button"
      aria-label={word("drawer.open")}
      aria-expanded={useStore(drawerStore)}
      data-intent=""
      onClick={openDrawer}
    >
      <Icon name="menu" />
    </button>
  );
}
