/** Scroll a sidebar, and nothing else, so far that its current item can be seen. */
export function showCurrent(box: HTMLElement | null): void {
  const item = box?.querySelector<HTMLElement>("[aria-current=page]");
  if (box == null || item == null) return;
  const view = box.getBoundingClientRect();
  const place = item.getBoundingClientRect();
  // Below an announcement the box reaches further than the window.
  if (place.top < view.top || place.bottom > Math.min(view.bottom, innerHeight)) {
    box.scrollTop += place.top - view.top - box.clientHeight / 3;
  }
}

/** Arrows, Home and End move between the items that can be seen. */
export function moveFocus(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("a, button")].filter((stop) =>
    stop.checkVisibility(),
  );
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  stops[target]?.focus();
}
