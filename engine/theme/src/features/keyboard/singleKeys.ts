import { readStored, writeStored } from "../../ui/storage";

const KEY = "octavo.single-keys";

/** Whether keys without Ctrl or Command are shortcuts; who dictates or has unsteady hands can turn them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return readStored(KEY) !== "off";
}

/** Turn them on or off, for later visits too. */
export function setSingleKeys(isOn: boolean): void {
  writeStored(KEY, isOn ? null : "off");
}

/** A key of its own, pressed where nothing is typed. */
export function isSingleKey(event: KeyboardEvent, key: string): boolean {
  if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]"))
    return false;
  return areSingleKeysOn();
}
