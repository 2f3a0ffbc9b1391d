/** Height of the top bar, in px. */
const BAR_PX = 60;

/** Whether the bar hides after a scroll. `endPx` is what is left below the window. */
export function hidesAfter(fromPx: number, toPx: number, endPx: number): boolean {
  if (toPx < BAR_PX) return false;
  return toPx >= fromPx || endPx < BAR_PX;
}

/** Hide the top bar while the reader goes down, show it when he comes up. */
export function startHidingBar(): void {
  const bar = document.querySelector<HTMLElement>(".top-bar");
  if (bar === null) return;
  let last = window.scrollY;
  document.addEventListener(
    "scroll",
    () => {
      const y = window.scrollY;
      const end = document.documentElement.scrollHeight - window.innerHeight - y;
      bar.classList.toggle("top-bar-hidden", hidesAfter(last, y, end) && !bar.contains(document.activeElement));
      last = y;
    },
    { passive: true },
  );
}
