import { createStore } from "../../ui/store";
import { dropOverlayEntry, pushOverlayEntry } from "../navigation/scroll";

/** Whether the drawer is shown. */
export const drawerStore = createStore(false);

/** Show the drawer. It gets an entry of the history: the back button closes it and leads nowhere else. */
export function openDrawer(): void {
  if (drawerStore.get()) return;
  pushOverlayEntry();
  drawerStore.set(true);
}

/** Hide the drawer and forget its entry of the history. */
export function closeDrawer(): void {
  if (!drawerStore.get()) return;
  drawerStore.set(false);
  dropOverlayEntry();
}

/** Hide the drawer because the reader leaves by a link or by the back button, which see to the history themselves. */
export function dismissDrawer(): void {
  drawerStore.set(false);
}
