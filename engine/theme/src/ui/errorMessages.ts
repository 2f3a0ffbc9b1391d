import { word } from "./words";

/** Most causes of one error that are shown. */
const MOST = 10;

/** Messages of an error and of its causes, outermost first. */
export function errorMessages(error: unknown): string[] {
  const messages: string[] = [];
  for (let one = error; one != null && messages.length < MOST; one = one instanceof Error ? one.cause : null) {
    messages.push(one instanceof Error ? one.message : typeof one === "string" ? one : word("unknownError"));
  }
  return messages;
}
