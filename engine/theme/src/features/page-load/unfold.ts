import { whenIdle } from "../../ui/whenIdle";
import { STEP } from "./steps";

/** What `prose.css` lets wait. */
const WAITING = ".prose > *, .prose :is(.api-schema, .api-operation, .api-group), .footer";

/**
 * Lay out what the first frame has left out, some blocks in each idle moment, from the top.
 *
 * `prose.css` lets blocks below the first screen wait until they come near the view. That makes the first frame
 * quick, but heights that are only guessed would move the scroll bar, so nothing stays so. `data-unfolded`
 * at the root tells when all is laid out; no style depends on it.
 */
export function unfoldArticle(): void {
  const root = document.documentElement;
  const blocks = root.dataset.place === "" ? [...document.querySelectorAll<HTMLElement>(WAITING)] : [];
  const step = (): void => {
    let elements = 0;
    for (let block = blocks.shift(); block !== undefined; block = elements < STEP ? blocks.shift() : undefined) {
      block.dataset.laid = "";
      elements += 1 + block.getElementsByTagName("*").length;
    }
    if (blocks.length > 0) whenIdle(step);
    else root.dataset.unfolded = "";
  };
  whenIdle(step);
}
