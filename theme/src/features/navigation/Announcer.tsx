import { createStore, useStore } from "../../ui/store";

const message = createStore("");

/** Say something to readers of a screen reader when it suits them. */
export function announce(text: string): void {
  message.set(text);
}

/** The polite live region. */
export function Announcer() {
  return (
    <div className="visually-hidden" role="status">
      {useStore(message)}
    </div>
  );
}
