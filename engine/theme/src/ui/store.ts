import { useSyncExternalStore } from "react";

/** A value that several React roots read. */
export interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  /** Set the value and make it the one that server markup was drawn with. */
  reset: (value: T) => void;
  getInitial: () => T;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  let first = initial;
  const listeners = new Set<() => void>();
  const set = (next: T): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set,
    reset: (next) => {
      first = next;
      set(next);
    },
    getInitial: () => first,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Read a store; parts that hydrate late first see the value their markup was drawn with. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getInitial);
}
