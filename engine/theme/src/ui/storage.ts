/** The browser's storage, which may be missing, full or forbidden: then everything works and nothing is kept. */

let hasWarned = false;

function attempt<T>(action: (storage: Storage) => T, fallback: T): T {
  try {
    return action(window.localStorage);
  } catch (error) {
    if (!hasWarned) {
      hasWarned = true;
      console.warn(`Browser storage is not available (${String(error)}). Choices last until the page is left.`);
    }
    return fallback;
  }
}

export function readStored(key: string): string | null {
  return attempt((storage) => storage.getItem(key), null);
}

/** Keep a value; null removes the key. */
export function writeStored(key: string, value: string | null): void {
  attempt((storage) => {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  }, undefined);
}

/** Hear of changes made in other tabs. `onChange` gets the new value, null when the key was removed. */
export function watchStored(key: string, onChange: (value: string | null) => void): () => void {
  const listener = (event: StorageEvent): void => {
    // A null key means that everything was cleared.
    if (event.key === key || event.key === null) onChange(event.key === null ? null : event.newValue);
  };
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener("storage", listener);
  };
}
