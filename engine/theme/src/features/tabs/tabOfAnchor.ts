import { type RefObject, useLayoutEffect, useRef } from "react";
import { decodeHash } from "../navigation/address";

/** Open the tab that holds the place in the address, or is it: when the tabs are hydrated, and when the address changes. */
export function useTabOfAnchor(root: RefObject<HTMLElement | null>, onChoice: (value: string) => void): void {
  const latest = useRef(onChoice);
  useLayoutEffect(() => {
    latest.current = onChoice;
  });
  useLayoutEffect(() => {
    const open = (): void => {
      const target = document.getElementById(decodeHash(location.hash));
      const panels = root.current?.querySelectorAll<HTMLElement>(":scope > [role=tabpanel][data-state=inactive]") ?? [];
      const panel = target && [...panels].find((one) => one.contains(target));
      if (!panel?.dataset.value) return;
      latest.current(panel.dataset.value);
      // The panel is drawn by then; before, it has no place to scroll to.
      requestAnimationFrame(() => {
        target?.scrollIntoView({ behavior: "instant" });
      });
    };
    open();
    window.addEventListener("hashchange", open);
    return () => {
      window.removeEventListener("hashchange", open);
    };
  }, [root]);
}
