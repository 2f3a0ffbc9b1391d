/** Close an open menu as readers expect: by leaving it, by choosing. Escape is the menu's own. */
export function closeMenu(menu: HTMLDetailsElement): void {
  if (!menu.open) return; // closed again while this was being loaded
  const ending = new AbortController();
  const { signal } = ending;
  const close = (): void => {
    menu.open = false;
    ending.abort();
  };
  menu.addEventListener("toggle", close, { signal });
  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (!menu.contains(target as Node)) close();
    },
    { signal },
  );
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (!menu.contains(target as Node)) close();
    },
    { signal },
  );
  menu.addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && target.closest("a") !== null) close();
    },
    { signal },
  );
}
