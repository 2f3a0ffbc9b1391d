import { type RefObject, useEffect, useRef } from "react";
import { cut } from "../query/question";

/** Take over the field of a form. The answer sets its text, unless it has that already: so the caret stays. */
export function useField(
  form: RefObject<HTMLFormElement | null>,
  onInput: (query: string) => void,
): (query: string) => void {
  const listener = useRef(onInput);
  useEffect(() => {
    listener.current = onInput;
  });
  useEffect(() => {
    const input = form.current?.querySelector("input");
    if (!input) return;
    const end = new AbortController();
    const tell = (): void => {
      listener.current(cut(input.value));
    };
    input.addEventListener("input", tell, { signal: end.signal });
    // What was typed before all of this was here.
    if (input.value !== "") tell();
    form.current?.addEventListener(
      "submit",
      (event) => {
        // The results are here already.
        event.preventDefault();
        tell();
      },
      { signal: end.signal },
    );
    return () => {
      end.abort();
    };
  }, [form]);
  return (query) => {
    const input = form.current?.querySelector("input");
    if (input && input.value !== query) input.value = query;
  };
}
