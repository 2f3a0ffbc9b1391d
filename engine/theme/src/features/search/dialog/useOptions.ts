import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** Id of the list that the field controls. */
export const LIST_ID = "search-list";

export interface Options {
  count: number;
  /** Index of the option that Enter takes; -1 for none. */
  active: number;
  activate: (index: number) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

interface OptionsSource {
  count: number;
  /** What the options were made of: others begin at their first again. */
  source: unknown;
  /** False while the options are those of an earlier question. */
  isCurrent: boolean;
  /** Active at first. */
  first: number;
}

export function optionId(index: number): string {
  return `search-option-${index}`;
}

/** The options of a combobox: the focus stays in its field, keys move the active one. */
export function useOptions({ count, source, isCurrent, first }: OptionsSource): Options {
  const [chosen, setChosen] = useState({ source, index: first });
  const wantsEnter = useRef(false);
  const index = chosen.source === source ? chosen.index : first;
  const active = Math.min(index, count - 1);

  useEffect(() => {
    // Enter was pressed before the answer was here: it meant this one.
    if (!isCurrent || !wantsEnter.current) return;
    wantsEnter.current = false;
    optionAt(active)?.click();
  }, [isCurrent, source, active]);

  const activate = (next: number): void => {
    setChosen({ source, index: next });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Keys that compose a character are not commands.
    if (event.nativeEvent.isComposing) return;
    wantsEnter.current = false;
    if (event.key === "Enter") {
      event.preventDefault();
      if (!isCurrent) wantsEnter.current = true;
      else take(optionAt(active), event);
      return;
    }
    const next = moved(event, active, count);
    if (next === null) return;
    event.preventDefault();
    activate(next);
    optionAt(next)?.scrollIntoView({ block: "nearest" });
  };
  return { count, active, activate, onKeyDown };
}

/** Where a key leads; null: it moves the caret, or nothing. */
function moved(event: KeyboardEvent, active: number, count: number): number | null {
  if (count === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  switch (event.key) {
    case "ArrowDown":
      return active + 1 < count ? active + 1 : 0;
    case "ArrowUp":
      return active > 0 ? active - 1 : count - 1;
    default:
      return null;
  }
}

function optionAt(index: number): HTMLAnchorElement | null {
  return document.querySelector<HTMLAnchorElement>(`a#${optionId(index)}`);
}

/** Follow an option as the keys say: with Ctrl, Command or Shift into a new tab. */
function take(option: HTMLAnchorElement | null, event: KeyboardEvent): void {
  if (option === null) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  // What the browser does with a click and these keys is what it does here.
  option.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
