// English stems, as the Snowball stemmer "English" (Porter 2, as of its version 3) makes them; the stems of other languages come with the index.

import { ENDINGS } from "./criteria.gen";

const FORM_ENDINGS: ReadonlySet<string> = new Set(ENDINGS);
const VOWEL = /[aeiouy]/;
const SHORT = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$/;
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"], ["skies", "sky"], ["dying", "die"], ["lying", "lie"], ["tying", "tie"], ["idly", "idl"],
  ["gently", "gentl"], ["ugly", "ugli"], ["early", "earli"], ["only", "onli"], ["singly", "singl"], ["sky", "sky"],
  ["news", "news"], ["howe", "howe"], ["atlas", "atlas"], ["cosmos", "cosmos"], ["bias", "bias"], ["andes", "andes"],
]); // prettier-ignore
/** What these endings belong to. */
const OF_ING = /^(?:inn|out|can{2}|herr|earr|even)$/;
const OF_EED = new Set(["succ", "proc", "exc"]);
const STEP_2: readonly (readonly [string, string])[] = [
  ["ization", "ize"], ["ational", "ate"], ["fulness", "ful"], ["ousness", "ous"], ["iveness", "ive"],
  ["tional", "tion"], ["biliti", "ble"], ["lessli", "less"], ["entli", "ent"], ["ation", "ate"], ["alism", "al"],
  ["aliti", "al"], ["ousli", "ous"], ["iviti", "ive"], ["fulli", "ful"], ["enci", "ence"], ["anci", "ance"],
  ["abli", "able"], ["ogist", "og"], ["izer", "ize"], ["ator", "ate"], ["alli", "al"], ["bli", "ble"], ["ogi", "og"], ["li", ""],
]; // prettier-ignore
const STEP_3: readonly (readonly [string, string])[] = [
  ["ational", "ate"], ["tional", "tion"], ["alize", "al"], ["icate", "ic"], ["iciti", "ic"], ["ative", ""],
  ["ical", "ic"], ["ness", ""], ["ful", ""],
]; // prettier-ignore
const STEP_4 = [
  "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al",
  "er", "ic",
]; // prettier-ignore

const kept = new Map<string, string>();

/** `customise`, `organisation`: words with fewer letters before it, such as `raise`, are spelt alike everywhere. */
const BRITISH = /^([a-z]{4,})is(e[sdr]?|ers|ing|ations?|able)$/;

/** Whether two words of one stem are forms of a word; `author` and `authority` are none of `authorization`. */
export function areForms(word: string, other: string): boolean {
  const [one, two] = [american(word), american(other)];
  let size = 0;
  while (size < one.length && one[size] === two[size]) size++;
  const doubled = one.charAt(size - 1); // "running" behind "run"
  return [one.slice(size), two.slice(size)].every(
    (end) => FORM_ENDINGS.has(end) || (doubled !== "" && end.startsWith(doubled) && FORM_ENDINGS.has(end.slice(1))),
  );
}

function american(word: string): string {
  return word.replace(BRITISH, "$1iz$2");
}

/** Reduce a word, in the form of a token and in either spelling, to its stem. */
export function stemEnglish(given: string): string {
  const word = american(given);
  let found = kept.get(word);
  if (found === undefined) kept.set(word, (found = make(word)));
  return found;
}

/** What all words of a stem begin with: they differ from its last letter where that is put in the place of others, as in `flies`
 * or `ability`. */
export function beginningOf(stem: string): string {
  return /[eilyz]$/.test(stem) ? stem.slice(0, Math.max(2, stem.length - 1)) : stem;
}

/** Where the region begins that follows the first non-vowel after a vowel. */
function regionAfter(word: string, from: number): number {
  for (let place = from + 1; place < word.length; place++)
    if (!VOWEL.test(word[place] ?? "") && VOWEL.test(word[place - 1] ?? "")) return place + 1;
  return word.length;
}

function make(given: string): string {
  if (given.length <= 2) return given;
  const exception = EXCEPTIONS.get(given);
  if (exception !== undefined) return exception;
  let word = given
    .replace(/^'/, "")
    .replace(/^y/, "Y")
    .replace(/([aeiouy])y/g, "$1Y");
  const special = /^(?:gener|commun|arsen|emerg|inter|later|organ|past|univers)/.exec(word);
  const r1 = special ? special[0].length : regionAfter(word, 0);
  const r2 = regionAfter(word, r1);
  const in1 = (end: string): boolean => word.length - end.length >= r1;
  const in2 = (end: string): boolean => word.length - end.length >= r2;
  const without = (count: number): string => word.slice(0, word.length - count);

  word = word.replace(/'s'$|'s$|'$/, "");
  if (word.endsWith("sses")) word = without(2);
  else if (/ie[ds]$/.test(word)) word = without(word.length > 4 ? 2 : 1);
  else if (word.endsWith("s") && !/(?:us|ss)$/.test(word) && VOWEL.test(word.slice(0, -2))) word = without(1);
  const ending = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word)?.[0];
  const begun = ending === undefined ? word : without(ending.length);
  if (ending === "eed" || ending === "eedly") {
    if (in1(ending) && !OF_EED.has(begun)) word = `${begun}ee`;
  } else if (ending === "ing" && (OF_ING.test(begun) || /^[^aeiouy]y$/.test(begun))) {
    if (!OF_ING.test(begun)) word = `${begun.charAt(0)}ie`;
  } else if (ending !== undefined && VOWEL.test(begun)) {
    word = begun;
    if (/(?:at|bl|iz)$/.test(word)) word += "e";
    else if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) word = /^[aeo]..$/.test(word) ? word : without(1);
    else if (r1 >= word.length && SHORT.test(word)) word += "e";
  }
  if (word.length > 2 && /[^aeiouy][yY]$/.test(word)) word = `${without(1)}i`;

  const second = STEP_2.find(([end]) => word.endsWith(end));
  if (second && in1(second[0])) {
    const [end, put] = second;
    const before = word[word.length - end.length - 1] ?? "";
    if (end === "ogi" ? before === "l" : end === "li" ? /[cdeghkmnrt]/.test(before) : true)
      word = without(end.length) + put;
  }
  const third = STEP_3.find(([end]) => word.endsWith(end));
  if (third && in1(third[0]) && (third[0] !== "ative" || in2("ative"))) word = without(third[0].length) + third[1];
  const fourth = STEP_4.find((end) => word.endsWith(end));
  if (fourth !== undefined && in2(fourth) && (fourth !== "ion" || /[st]ion$/.test(word))) word = without(fourth.length);
  if (word.endsWith("e") && (in2("e") || (in1("e") && !SHORT.test(without(1))))) word = without(1);
  else if (word.endsWith("ll") && in2("l")) word = without(1);
  return word.toLowerCase();
}
