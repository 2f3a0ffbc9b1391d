import { createStore, useStore } from "../../ui/store";

const message = createStore("");

/** Say something to readers of a screen reader when it suits them. */
export function announce(text: string): void {
  message.set(text);
}

/** How long the message about an action is shown, in ms. */
export const BRIEF_MS = 1000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Say something that may have to be said again: it goes away after a moment. */
export function announceBriefly(text: string): void {
  clearTimeout(timer);
  announce(text);
  timer = setTimeout(() => {
    if (message.get() === text) announce("");
  }, BRIEF_MS);
}

/** The polite live region. */
export function Announcer() {
  return (
    <div className="visually-hidden" role="status">
      {useStore(message)}
    </div>
  );
}
