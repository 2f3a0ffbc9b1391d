import { useEffect, useRef } from "react";
import { useStore } from "../../../ui/store";
import { queryStore } from "../../navigation/query";
import { parseQuestion, type Question, questionHref } from "../query/question";

/** Hear what the address asks: at first, and whenever it changes. */
export function useAddress(onQuestion: (question: Question) => void): void {
  const search = useStore(queryStore);
  const listener = useRef(onQuestion);
  useEffect(() => {
    listener.current = onQuestion;
  });
  useEffect(() => {
    listener.current(parseQuestion(location.search));
  }, [search]);
}

/** Put a question into the address. Typing is not a reading of pages: the entry of the history is changed, not added to. */
export function writeAddress(pageHref: string, question: Question): void {
  history.replaceState(history.state, "", questionHref(pageHref, question));
  queryStore.set(location.search);
}
