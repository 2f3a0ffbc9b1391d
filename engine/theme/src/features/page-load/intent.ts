// What a reader does before the page is hydrated is not lost: the inline script keeps it, and it is done over.

declare global {
  interface Window {
    /** Control that was used before the client lived. */
    octavoIntent?: HTMLElement | undefined;
  }
}

/** Repeat the use of a control before hydration, if it is in this part of the page, which is hydrated now. */
export function replayIntent(part: Element): void {
  const control = window.octavoIntent;
  if (control === undefined || !part.contains(control)) return;
  window.octavoIntent = undefined;
  control.focus();
  control.click();
}
