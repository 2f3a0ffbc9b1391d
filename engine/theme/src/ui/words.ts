import { createElement, Fragment, type ReactNode } from "react";
import type english from "../../../src/octavo/words/en.json";

type Keys = keyof typeof english;
/** Words that differ with a count; `.one`, `.other` and so on follow the key. */
type PluralKey = { [Key in Keys]: Key extends `${infer Base}.other` ? Base : never }[Keys];
type WordKey = Exclude<Keys, `${PluralKey}.${string}`>;
type Values = Readonly<Record<string, string | number>>;

interface Language {
  /** BCP 47 tag. */
  locale: string;
  words: Readonly<Record<string, string>>;
}

let language: Language = { locale: "en", words: {} };
let plurals: Intl.PluralRules | null = null;
let numbers: Intl.NumberFormat | null = null;
const dates = new Map<string, Intl.DateTimeFormat>();
/** Dates of the page that came as HTML → their text in its language. */
const servedDates = new Map<string, string>();

/** Speak the language of a site. The server calls this before it draws, the client before it hydrates. */
export function setLanguage(site: Language): void {
  if (site.locale !== language.locale) {
    plurals = numbers = null;
    servedDates.clear();
  }
  language = site;
}

/** Remember how the page that came as HTML writes the date of its last change. Called after `setLanguage`. */
export function rememberDates(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>(".last-updated time"))
    servedDates.set(time.dateTime, time.textContent);
}

/** A word of the theme in the page's language, with values in the place of `{name}`. */
export function word(key: WordKey, values: Values = {}): string {
  return fill(template(key), values);
}

/** A word that there may be none of. */
export function optionalWord(key: string): string | null {
  return language.words[key] ?? null;
}

/** The same, with an element in the place of each value. */
export function wordParts(key: WordKey, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = template(key).split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : values[part])));
}

/** The form of a word that belongs to a count; `{count}` is replaced too. */
export function countedWord(key: PluralKey, count: number, values: Values = {}): string {
  plurals ??= new Intl.PluralRules(language.locale);
  const form = language.words[`${key}.${plurals.select(count)}`] ?? template(`${key}.other`);
  return fill(form, { count: formatNumber(count), ...values });
}

/** A number as the page's language writes it. */
export function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat(language.locale);
  return numbers.format(value);
}

/** A date as the page's language writes it: the same text on both sides, by a fixed time zone. */
export function formatDate(date: string): string {
  // Making a format takes 20 ms, more than hydrating the rest of a page, and most readers never need one.
  const served = servedDates.get(date);
  if (served !== undefined) return served;
  const parsed = new Date(date);
  if (Number.isNaN(parsed.valueOf())) return date;
  let format = dates.get(language.locale);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language.locale, { dateStyle: "medium", timeZone: "UTC" });
    dates.set(language.locale, format);
  }
  return format.format(parsed);
}

/** A key that is not there is shown as it is: a page of an older deployment may meet words of a newer one. */
function template(key: string): string {
  return language.words[key] ?? key;
}

/** Put values in the place of `{name}`. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
