/** Without a sign of the reader what waits for one begins anyway after this time, in ms. */
const STILL_MS = 3000;

const SIGNS = ["pointermove", "pointerdown", "touchstart", "wheel", "scroll", "keydown"] as const;

/** Do something at the reader's first sign: now, where there has been one, else then. The answer calls it off. */
export function whenReaderStirs(task: () => void): () => void {
  if (navigator.userActivation.hasBeenActive || window.scrollY > 0) {
    task();
    return () => undefined;
  }
  const end = new AbortController();
  const begin = (): void => {
    callOff();
    task();
  };
  const timer = setTimeout(begin, STILL_MS);
  const callOff = (): void => {
    end.abort();
    clearTimeout(timer);
  };
  for (const sign of SIGNS) window.addEventListener(sign, begin, { signal: end.signal, passive: true });
  return callOff;
}
