// Keys that are pressed between the wish to search and the dialog, whose code is still on its way: a field of our own
// takes them, so that composed characters, pasted text and the keyboards of phones work as in any other.
// Shared with the inline script, whose size is counted.
const ID = "octavo-type-ahead";

/** What was typed before the dialog was there. */
export interface TypeAhead {
  text: string;
  /** Enter was pressed behind it. */
  isEntered: boolean;
  /** Text that was selected on the page: a field that takes the focus ends the selection. */
  selected: string;
}

export function findTypeAhead(): HTMLInputElement | null {
  return document.getElementById(ID) as HTMLInputElement | null;
}

/** Give the field the focus; make it where it isn't there. Escape takes it away, and with it the wish to search. */
export function takeTypeAhead(): void {
  let field = findTypeAhead();
  if (!field) {
    const before = document.activeElement as HTMLElement;
    const made = (field = document.createElement("input"));
    made.id = ID;
    made.className = "visually-hidden";
    // Words come with the site's data, which may still be on its way.
    made.ariaLabel = document.querySelector(".search-button-text")?.textContent ?? null;
    made.dataset.selected = String(getSelection());
    for (const type of ["compositionstart", "compositionend"])
      made.addEventListener(type, () => (made.dataset.composition = type));
    made.onkeydown = ({ key, isComposing }) => {
      if (isComposing) return;
      made.dataset.key = key;
      if (key === "Escape") {
        made.remove();
        window.octavoIntent = undefined;
        before.focus();
      }
    };
    document.body.append(made);
  }
  field.focus({ preventScroll: true });
}
