// Values that are others each time they are asked for, the time and random numbers, in the V8 that draws components: whether a
// component has asked for one, and other values for a second drawing. Import this before what remembers shared objects.

const RealDate = Date;
const { random } = Math;
/** Far from the time of the build, and at another hour, day, month and year; a build is not that old when it is read. */
const LATER_MS = 400.3 * 24 * 60 * 60 * 1000;

let later = 0;
/** Stack of the first place that has asked; empty where none has. */
let asked = "";

function note(): void {
  if (asked === "") asked = String(new Error().stack);
}

function now(): number {
  note();
  return RealDate.now() + later;
}

Math.random = () => {
  note();
  return later === 0 ? random() : (random() + 1) / 2;
};

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
});
// Libraries compare `date.constructor` with `Date`.
RealDate.prototype.constructor = globalThis.Date;

/**
 * Draw, and draw again with other values if it has asked for any.
 *
 * Gives the first drawing, and the stack of the place that has asked where the second one differs.
 */
export function watchChanges(draw: () => string): { readonly html: string; readonly stack: string | undefined } {
  asked = "";
  later = 0;
  const html = draw();
  if (asked === "") return { html, stack: undefined };
  const stack = asked;
  later = LATER_MS;
  try {
    return { html, stack: draw() === html ? undefined : stack };
  } finally {
    later = 0;
  }
}
