import { createStore } from "../../ui/store";

/** Whether the drawer is shown. */
export const drawerStore = createStore(false);

export function openDrawer(): void {
  drawerStore.set(true);
}

export function closeDrawer(): void {
  drawerStore.set(false);
}
