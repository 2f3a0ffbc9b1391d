import { whenIdle } from "../../ui/whenIdle";

/** Blocks laid out at a time: some twenty milliseconds of work on a slow machine. */
const STEP = 32;

/**
 * Lay out what the first frame has left out, some blocks in each idle moment, from the top.
 *
 * `prose.css` lets blocks below the first screen wait until they come near the view. That makes the first frame
 * quick, but heights that are only guessed would move the scroll bar, so nothing stays so.
 */
export function unfoldArticle(): void {
  const root = document.documentElement;
  if (root.dataset.place !== "") return;
  const blocks = [...document.querySelectorAll<HTMLElement>(".prose > *")];
  const step = (): void => {
    for (const block of blocks.splice(0, STEP)) block.dataset.laid = "";
    if (blocks.length > 0) whenIdle(step);
    // Pages that come later are whole from the start: links lead to places in them, and back to where a reader was.
    else root.dataset.place = "1";
  };
  whenIdle(step);
}
