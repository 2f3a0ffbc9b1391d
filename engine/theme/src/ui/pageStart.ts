/** Focus the start of the page without scrolling: the next Tab reaches the skip link, and nothing is announced. */
export function focusPageStart(): void {
  document.getElementById("top")?.focus({ preventScroll: true });
}
