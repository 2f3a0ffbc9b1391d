import type english from "../../../../../src/octavo/words/en.json";
import { fill } from "../../../ui/words";

type ConsoleKey = Extract<keyof typeof english, `console.${string}`>;

let words: Readonly<Record<string, string>> = {};
const files = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** Speak these words from now on. */
export function speak(given: Readonly<Record<string, string>>): void {
  words = given;
}

/** Fetch the words of a language, once, and speak them: readers who open no console load none of them. */
export async function loadWords(address: string): Promise<void> {
  let found = files.get(address);
  if (found === undefined) {
    found = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      return answer.json() as Promise<Record<string, string>>;
    });
    found.catch(() => files.delete(address));
    files.set(address, found);
  }
  speak(await found);
}

/** A word of the console in the page's language, with values in the place of `{name}`. */
export function say(key: ConsoleKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(words[key] ?? key, values);
}
