import { whenIdle } from "../../ui/whenIdle";
import { layNext, PARTS, STEP_OF_FRAME } from "./steps";

const WAITING = `.prose > *, .prose :is(${PARTS}), .footer`;

/**
 * Lay out what the first frame has left out, some blocks in each idle moment, from the top.
 *
 * `prose.css` lets blocks below the first screen wait until they come near the view. That makes the first frame
 * quick, but heights that are only guessed would move the scroll bar, so nothing stays so. `data-unfolded`
 * at the root tells when all is laid out; no style depends on it.
 */
export function unfoldArticle(): void {
  const root = document.documentElement;
  let blocks =
    root.dataset.place === ""
      ? [...document.querySelectorAll<HTMLElement>(WAITING)].filter(({ dataset }) => dataset.laid !== "")
      : [];
  const step = (): void => {
    blocks = blocks.slice(layNext(blocks, STEP_OF_FRAME, () => true));
    if (blocks.length > 0) whenIdle(step);
    else root.dataset.unfolded = "";
  };
  whenIdle(step);
}
