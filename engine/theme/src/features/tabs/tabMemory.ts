import { useLayoutEffect, useRef } from "react";
import { createStore, type Store } from "../../ui/store";
import { readStored, watchStored, writeStored } from "../../ui/storage";
import { tabKey } from "./tabKeys";

/** Where the choice of a tab is kept: with a group, in the address, in both or nowhere. */
interface TabMemory {
  groupId: string | null;
  /** Name of the query parameter. */
  queryString: string | null;
}

interface RememberedTabOptions extends TabMemory {
  values: readonly string[];
  onChoice: (value: string) => void;
}

const groups = new Map<string, Store<string | null>>();

/** The choice that all tabs of a group follow, on this page and in other browser tabs. */
function groupStore(groupId: string): Store<string | null> {
  const known = groups.get(groupId);
  if (known !== undefined) return known;
  const key = tabKey(groupId);
  const store = createStore(readStored(key));
  watchStored(key, store.set);
  groups.set(groupId, store);
  return store;
}

/** The first choice that names a tab which is there; a query parameter goes before what is stored. */
export function firstValid(choices: readonly (string | null)[], values: readonly string[]): string | null {
  return choices.find((choice) => choice !== null && values.includes(choice)) ?? null;
}

/** Report the remembered choice when the tabs are hydrated, and each later choice in their group. */
export function useRememberedTab(options: RememberedTabOptions): void {
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const { groupId, queryString } = options;
  useLayoutEffect(() => {
    const group = groupId === null ? null : groupStore(groupId);
    const report = (...choices: (string | null)[]): void => {
      const choice = firstValid(choices, latest.current.values);
      if (choice !== null) latest.current.onChoice(choice);
    };
    report(queryString === null ? null : new URLSearchParams(location.search).get(queryString), group?.get() ?? null);
    return group?.subscribe(() => {
      report(group.get());
    });
  }, [groupId, queryString]);
}

/** Keep a reader's choice. */
export function rememberTab({ groupId, queryString }: TabMemory, value: string): void {
  if (groupId !== null) {
    groupStore(groupId).set(value);
    writeStored(tabKey(groupId), value);
  }
  if (queryString !== null) {
    const url = new URL(location.href);
    url.searchParams.set(queryString, value);
    history.replaceState(history.state, "", url);
  }
}
