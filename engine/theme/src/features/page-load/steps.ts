// What is laid out of a page that has been loaded, and in which steps. `prose.css` lets the rest wait until it is marked.

/** Elements that the inline script lays out at a time: some ten milliseconds of work on a slow machine. */
export const STEP = 42;

/** Elements laid out in one frame with all that a frame costs beside. */
export const STEP_OF_FRAME = 28;

/** Heights of the window, from its top, within which browsers lay out what may wait. */
export const NEAR = 2.5;

/** Parts of long blocks. */
export const PARTS = ".api-schema,.api-operation,.api-group,.api-list>li";

/** Before the first frame; entries count once their list is there, or all would be measured. */
export const SEEN = '.navbar,.footer,.prose>*,.api-group,.api-group[data-laid=""] li';

/** In the frames after it, where they are near the view. */
export const BESIDE = ".sidebar,.toc";

/** Held back until its turn comes; further blocks of an article may wait in any case. */
export const HELD = `.navbar,.footer,.prose>:nth-child(-n+5),${BESIDE}`;

/**
 * Mark the first blocks as laid out, one or as many as have so many elements; returns how many blocks.
 *
 * It ends at the first block that is not due. Blocks are asked in turn, and no more of them than are marked: asking for a
 * place in hidden content costs a tenth of a millisecond.
 */
export function layNext(blocks: HTMLElement[], most: number, isDue: (block: HTMLElement) => boolean): number {
  let elements = 0;
  let done = 0;
  for (const block of blocks) {
    // What is in its parts comes with them, after a step for what is around them.
    elements += block.querySelector(PARTS) ? most : block.getElementsByTagName("*").length;
    if ((done && elements + done > most) || !isDue(block)) break;
    done += 1;
  }
  // All are asked before one is changed.
  for (const block of blocks.slice(0, done)) block.dataset.laid = "";
  return done;
}
