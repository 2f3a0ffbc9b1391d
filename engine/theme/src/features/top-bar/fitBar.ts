/**
 * Keep the top bar within its width: entries that do not fit are hidden, those of the first list from its end on before the others,
 * and the button of the drawer, which has all entries, is shown.
 */
export function startFittingBar(): void {
  const bar = document.querySelector<HTMLElement>(".navbar");
  const button = bar?.querySelector<HTMLElement>(".drawer-button");
  if (!bar || !button) return;
  const lists = [...bar.querySelectorAll(".nav-items")];
  const entries = (): HTMLElement[] => lists.flatMap((list) => ([...list.children] as HTMLElement[]).reverse());
  const fit = (): void => {
    const items = entries();
    for (const box of [button, ...items]) box.style.display = "";
    for (const item of items) {
      // Small screens have no entries in the bar.
      if (!item.checkVisibility() || !overflows(bar)) break;
      button.style.display = "flex";
      item.style.display = "none";
    }
  };
  // Also when a font has come, and when the entries are those of another page.
  const observer = new ResizeObserver(fit);
  for (const box of [bar, ...lists, ...entries()]) observer.observe(box);
}

function overflows(bar: HTMLElement): boolean {
  const { left, right } = bar.getBoundingClientRect();
  return [...bar.children].some((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
  });
}
