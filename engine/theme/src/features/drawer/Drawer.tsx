import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useCurrent } from "../../data/current";
import { Brand } from "../../ui/Brand";
import { Icon } from "../../ui/Icon";
import { returnFocus } from "../../ui/returnFocus";
import { useStore } from "../../ui/store";
import { ColorModeToggle } from "../color-mode/ColorModeToggle";
import { closeDrawer, dismissDrawer, drawerStore } from "./drawerState";
import { MainMenu } from "./MainMenu";
import { PageMenu } from "./PageMenu";
import { useSwipe } from "./useSwipe";
import { word } from "../../ui/words";

const DESKTOP = "(min-width: 996px)";

/** The menu of small screens: a modal dialog at the side, with the page's sidebar first and the top bar's entries behind. */
export function Drawer() {
  const isOpen = useStore(drawerStore);
  const dialog = useRef<HTMLDialogElement>(null);
  useOpenState(dialog, isOpen);
  useSwipe(dialog, closeDrawer);
  return (
    <dialog
      ref={dialog}
      className="drawer"
      aria-label={word("drawer")}
      onCancel={(event) => {
        event.preventDefault();
        closeDrawer();
      }}
      onClick={onClick}
    >
      {isOpen && <DrawerContent />}
    </dialog>
  );
}

function DrawerContent() {
  const { page, site } = useCurrent();
  // On large screens the sidebar is beside the text: what is looked for are entries that the bar has no room for.
  const [isMain, setIsMain] = useState(() => page.sidebar === null || matchMedia(DESKTOP).matches);
  return (
    <div className="drawer-inner">
      <div className="drawer-head">
        <Brand title={site.navbar.title} logo={site.navbar.logo} home={site.home} />
        {site.colorMode.hasSwitch && <ColorModeToggle />}
        <button type="button" className="icon-button" aria-label={word("drawer.close")} onClick={closeDrawer}>
          <Icon name="close" />
        </button>
      </div>
      {isMain || page.sidebar === null ? (
        <MainMenu page={page} site={site} />
      ) : (
        <PageMenu
          address={page.sidebar}
          current={page.sidebarPath}
          onBack={
            site.navbar.items.length === 0
              ? null
              : () => {
                  setIsMain(true);
                }
          }
        />
      )}
    </div>
  );
}

/** A click on the backdrop closes; so does a link, which goes its own way. */
function onClick(event: MouseEvent<HTMLDialogElement>): void {
  if (event.target === event.currentTarget) {
    closeDrawer();
    return;
  }
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isStaying = link === null || link.hasAttribute("target") || event.defaultPrevented;
  if (!isStaying && !event.ctrlKey && !event.metaKey && !event.shiftKey) dismissDrawer();
}

/** Keep the native dialog, which traps the focus and makes the page behind inert, in step with the state. */
function useOpenState(dialog: RefObject<HTMLDialogElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const element = dialog.current;
    if (element === null) return;
    returnFocus(element);
    element.showModal();
    const desktop = matchMedia(DESKTOP);
    desktop.addEventListener("change", closeDrawer);
    window.addEventListener("popstate", dismissDrawer);
    return () => {
      element.close();
      desktop.removeEventListener("change", closeDrawer);
      window.removeEventListener("popstate", dismissDrawer);
    };
  }, [dialog, isOpen]);
}
