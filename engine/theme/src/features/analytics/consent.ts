/** What a reader has said to being counted; nothing yet when absent. */
type Consent = "granted" | "denied";

declare global {
  interface Window {
    /**
     * The consent hook. A script of the operator's sets it, before or after this one runs, and on each later change
     * dispatches the event `octavo:consent` on the window.
     */
    octavoConsent?: Consent;
  }
}

/** Load the operator's script, which asks the reader. */
export function loadConsentScript(address: string): void {
  const script = document.createElement("script");
  script.async = true;
  script.src = address;
  document.head.append(script);
}

/** Page views kept at most while the reader has not decided. */
const KEPT = 100;

/** Let values through once the reader agrees: earlier ones are kept until then, and forgotten when the answer is no. */
export function withConsent<T>(send: (value: T) => void): (value: T) => void {
  let kept: T[] = [];
  const flush = (): void => {
    if (window.octavoConsent === undefined) return;
    const values = kept;
    kept = [];
    if (window.octavoConsent === "granted") values.forEach(send);
  };
  window.addEventListener("octavo:consent", flush);
  return (value) => {
    kept.push(value);
    if (kept.length > KEPT) kept.shift();
    flush();
  };
}
