import { useSyncExternalStore } from "react";

type Listener = (state: any, before: any) => void;

/** A store outside of components, and hooks that read it. */
export function createStore(init?: any): any {
  if (init === undefined) return createStore;
  const listeners = new Set<Listener>();
  let state: any;
  const api = {
    getState: () => state,
    getInitialState: () => first,
    setState(given: any, replaces = false) {
      const next = typeof given === "function" ? given(state) : given;
      if (Object.is(next, state)) return;
      const before = state;
      state = replaces || typeof next !== "object" || next === null ? next : { ...state, ...next };
      listeners.forEach((listener) => listener(state, before));
    },
    subscribe(listener: Listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const first = (state = init(api.setState, api.getState, api));
  return api;
}

export const useStore = (store: any, choose: any = (state: any) => state) =>
  useSyncExternalStore(
    store.subscribe,
    () => choose(store.getState()),
    () => choose(store.getInitialState()),
  );

export function create(init?: any): any {
  if (init === undefined) return create;
  const store = createStore(init);
  return Object.assign((choose?: any) => useStore(store, choose), store);
}

export default create;
export const persist = (init: any) => init;
export const devtools = persist;
export const subscribeWithSelector = persist;
export const useShallow = (choose: any) => choose;
export const shallow = Object.is;
