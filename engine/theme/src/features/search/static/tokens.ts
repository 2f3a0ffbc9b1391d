// The tokenizer of `octavo/search/text`, for the same tokens from the same text.
import { LONGEST_TOKEN, LONGEST_WORD } from "./criteria.gen";

const UNSPACED =
  "\\u0e00-\\u0e7f\\u0e80-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7af\\u1780-\\u17ff" +
  "\\u3005\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}" +
  "\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f";
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const ALL_UNSPACED = new RegExp(`[${UNSPACED}]`, "gu");
const MARK = `(?:(?![${UNSPACED}])[\\p{Mn}\\p{Mc}\\u200c\\u200d])`;
const WORD_CHAR = "[\\p{L}\\p{N}_]";
const CLUSTER =
  /[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|.(?:(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])[\p{Mn}\p{Mc}\u200c\u200d]|[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a\uff9e\uff9f])*/gsu;
const INNER_APOSTROPHE = "(?<=[\\u0400-\\u052f])['\\u02bc\\u2019](?=[\\u0400-\\u052f])";
const DROPPED =
  /(?<!и)\u0306|(?<=[\u0400-\u052f])['\u02bc\u2019](?=[\u0400-\u052f])|[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u20d0-\u20ff\ufe00-\ufe0f]/gu;
const NASALS = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/gu;
const LETTERS: Readonly<Record<string, string>> = {
  œ: "oe", æ: "ae", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ħ: "h", ŧ: "t",
  ة: "ه", ى: "ي", ی: "ي", ک: "ك", ٱ: "ا", "’": "'", ß: "ss", ς: "σ",
}; // prettier-ignore
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

const ASCII = /^[\x00-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);
export const isAlpha = (text: string): boolean => /^\p{L}+$/u.test(text);
export const isAlnum = (text: string): boolean => /^[\p{L}\p{N}]+$/u.test(text);
export const isUnspaced = (text: string): boolean => IS_UNSPACED.test(text);
export const isUnspacedText = (text: string): boolean => (text.match(ALL_UNSPACED) ?? []).length * 2 > text.length;
export const isGrammar = (pair: string): boolean => /[\u3041-\u309f]/.test(pair);

/** Write in lower case, in composed letters and without accents. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(DROPPED, "")
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(NASALS, "ं")
    .normalize("NFC");
}

function chunkPattern(letter: string, more: string): RegExp {
  const segment = `(?:${letter}+|\\{${letter}(?:${letter}|-)*\\})`;
  const w = WORD_CHAR;
  return new RegExp(
    `${more}(?:(?<!(?:${w}|-))--?(?=${w})|(?<!${w})\\$\\{?(?=${w})|(?<!(?:${w}|@))@(?=${w})|(?<!${w})\\.(?=[A-Za-z])` +
      `|(?<!(?:${w}|/))(?:~|\\.{1,2})?/(?=(?:${w}|\\{)))?${segment}(?:(?:://|::|->|\\.{1,2}/|[\\-._/:@\\\\])${segment})*` +
      `(?:\\+\\+|#(?!${w}))?|(?<!\\S)(?:[!~^&*+=<>?%:|]{2,3}|~)(?!\\S)`,
    "gu",
  );
}

const CHUNK = chunkPattern(WORD_CHAR, "");
const FOREIGN_CHUNK = chunkPattern(
  `(?:(?![${UNSPACED}])${WORD_CHAR}${MARK}*|${INNER_APOSTROPHE})`,
  `(?:[${UNSPACED}]|${MARK})*[${UNSPACED}](?:[${UNSPACED}]|${MARK})*|`,
);
const PARTS = /[A-Z]{2,}s(?![A-Za-z])|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+(?:\d+[a-z]*)*|\d+(?:[a-z]+\d*)*|\p{L}+\d*/gu;
const FOREIGN_PARTS = new RegExp(
  `(?:[\\p{L}\\p{No}\\p{Nl}]${MARK}*|${INNER_APOSTROPHE})+\\p{Nd}*|\\p{Nd}+(?:[a-z]+\\p{Nd}*)*`,
  "gu",
);
const STRONG = /:\/\/|::|->|[./:@\\$~]+/g;
const MARKS = /^(?:--?|\$\{?|@|~?\.{0,2}\/|\.|[vV](?=\d+\.\d))/;
const VERSION = /^[vV]\d+\.\d/;

/** A word, or a word of an identifier: characters from the beginning of its chunk. */
export interface Part {
  form: string;
  start: number;
  end: number;
}

/** An identifier, or a segment of one: index of its first part, number of its parts. */
interface Name {
  form: string;
  first: number;
  size: number;
}

export interface Chunk {
  parts: readonly Part[];
  names: readonly Name[];
  isIdentifier: boolean;
}

interface Span {
  start: number;
  end: number;
  chunk: Chunk;
}

/** Find the chunks of a text with their places. */
export function spans(text: string): Span[] {
  const found: Span[] = [];
  for (const word of text.matchAll(/\S+/gu)) {
    const piece = word[0].slice(0, LONGEST_WORD);
    for (const one of piece.matchAll(isAscii(word[0]) ? CHUNK : FOREIGN_CHUNK)) {
      const start = word.index + one.index;
      found.push({ start, end: start + one[0].length, chunk: analyse(one[0]) });
    }
  }
  return found;
}

/** The words of a text, as tokens. */
export function parts(text: string): string[] {
  return spans(text).flatMap(({ chunk }) => chunk.parts.map(({ form }) => form));
}

function cut(form: string): string {
  return form.slice(0, LONGEST_TOKEN);
}

const isLower = (word: string): boolean => /\p{Ll}/u.test(word) && !/[\p{Lu}\p{Lt}]/u.test(word);
const isTitle = (word: string): boolean => /^\p{Lu}\P{Lu}*$/u.test(word);

function analyse(written: string): Chunk {
  const ascii = isAscii(written);
  if (isAlpha(written) && (isLower(written) || isTitle(written)))
    return { parts: [{ form: cut(fold(written)), start: 0, end: written.length }], names: [], isIdentifier: false };
  if (!ascii && isUnspaced(written)) return { parts: pairs(written), names: [], isIdentifier: false };
  const pattern = ascii ? PARTS : FOREIGN_PARTS;
  const from = VERSION.test(written) ? 1 : 0;
  const found = [...written.slice(from).matchAll(pattern)].map((match): Part => {
    const start = match.index + from;
    return { form: cut(fold(match[0])), start, end: start + match[0].length };
  });
  if (found.length === 0)
    return { parts: [{ form: fold(written), start: 0, end: written.length }], names: [], isIdentifier: true };
  const names = isAlnum(written)
    ? found.length > 1
      ? [{ form: nameForm(written), first: 0, size: found.length }]
      : []
    : namesOf(written, found);
  return { parts: found, names, isIdentifier: names.length > 0 || found.length > 1 };
}

function pairs(run: string): Part[] {
  const clusters = [...run.matchAll(CLUSTER)].map((match) => [match.index, match.index + match[0].length] as const);
  if (clusters.length === 1) return [{ form: fold(run), start: 0, end: run.length }];
  return clusters.slice(1).map(([, end], index) => {
    const start = clusters[index]?.[0] ?? 0;
    return { form: fold(run.slice(start, end)), start, end };
  });
}

function namesOf(written: string, found: readonly Part[]): Name[] {
  const known = new Set<string>();
  const names: Name[] = [];
  for (const [text, start] of namedPieces(written)) {
    const end = start + text.length;
    const first = found.findIndex((part) => start <= part.start && part.start < end);
    const size = found.filter((part) => start <= part.start && part.start < end).length;
    const part = found[first];
    if (part === undefined || (size === 1 && text.length === part.end - part.start)) continue;
    const form = nameForm(text);
    if (form !== "" && !known.has(form) && (size > 1 || part.form !== form)) {
      known.add(form);
      names.push({ form, first, size });
    }
  }
  return names;
}

function namedPieces(written: string): [string, number][] {
  const pieces: [string, number][] = [[written, 0]];
  const mark = MARKS.exec(written);
  let offset = mark?.[0].length ?? 0;
  if (mark) pieces.push([written.slice(offset), offset]);
  for (const separator of written.slice(offset).matchAll(STRONG)) {
    const place = separator.index + (mark?.[0].length ?? 0);
    if (place > offset) pieces.push([written.slice(offset, place), offset]);
    offset = place + separator[0].length;
  }
  if (offset) pieces.push([written.slice(offset), offset]);
  return pieces;
}

function nameForm(text: string): string {
  let form = fold(text);
  if (form.startsWith("${")) form = `$${form.slice(2).replace(/\}+$/, "")}`;
  else if (form.startsWith("{")) form = form.slice(1).replace(/\}+$/, "");
  return cut(form);
}
