/** Keep the entries of the top bar within it: those that do not fit are hidden, and the button of the drawer, which has all, is shown. */
export function startFittingBar(): void {
  const bar = document.querySelector<HTMLElement>(".navbar");
  if (bar === null) return;
  const lists = [...bar.querySelectorAll<HTMLElement>(".nav-items")];
  const fit = (): void => {
    delete bar.dataset.folds;
    for (const item of bar.querySelectorAll("[data-folded]")) item.removeAttribute("data-folded");
    if (!lists.some((list) => list.scrollWidth > list.clientWidth + 1)) return;
    bar.dataset.folds = "";
    // All are measured before one is hidden, which gives the others room.
    for (const item of lists.flatMap(outside)) item.setAttribute("data-folded", "");
  };
  // Also when a font has come, and when the entries are those of another page.
  const observer = new ResizeObserver(fit);
  for (const box of [bar, ...lists, ...lists.flatMap((list) => [...list.children])]) observer.observe(box);
}

function outside(list: HTMLElement): Element[] {
  const { left, right } = list.getBoundingClientRect();
  return [...list.children].filter((item) => {
    const box = item.getBoundingClientRect();
    return box.left < left - 1 || box.right > right + 1;
  });
}
