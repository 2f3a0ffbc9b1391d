// What a reader does before the client lives is not lost: the inline script keeps it, and it is done over.

declare global {
  interface Window {
    /** Control that was used before the client lived. */
    octavoIntent?: HTMLElement | undefined;
  }
}

/** Use the control that was used too early, if it stands in this part of the page, which lives now. */
export function replayIntent(part: Element): void {
  const control = window.octavoIntent;
  if (control === undefined || !part.contains(control)) return;
  window.octavoIntent = undefined;
  control.focus();
  control.click();
}
