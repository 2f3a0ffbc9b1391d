/** Frames for which the focus is tried to be given back. */
const FRAMES = 20;

/**
 * Give the focus back when a dialog closes, where the browser does not. Call it before the dialog is shown.
 *
 * WebKit takes the page behind a dialog for inert until it has drawn it without the dialog, so that neither it nor
 * a script can give the focus back before.
 */
export function returnFocus(dialog: HTMLDialogElement): void {
  const before = document.activeElement;
  if (!(before instanceof HTMLElement || before instanceof SVGElement) || before === document.body) return;
  const giveBack = (frames: number): void => {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || dialog.contains(focused);
    if (dialog.open || !isLost || !before.isConnected) return;
    before.focus({ preventScroll: true });
    if (document.activeElement !== before && frames > 0) {
      requestAnimationFrame(() => {
        giveBack(frames - 1);
      });
    }
  };
  dialog.addEventListener(
    "close",
    () => {
      giveBack(FRAMES);
    },
    { once: true },
  );
}
