import { readStored, writeStored } from "../../../ui/storage";
import type { Hit } from "../query/hits";

/** A hit that was chosen, or kept as a favorite. */
export interface SavedSearch {
  href: string;
  /** Heading that the address leads to. */
  title: string;
  /** Title of the page, where the heading is another one; else the section. */
  place: string;
  kind: string;
}

export interface SavedSearches {
  /** Newest first. */
  recent: readonly SavedSearch[];
  favorites: readonly SavedSearch[];
}

const RECENT = 7;
const RECENT_BESIDE_FAVORITES = 4;
const FAVORITES = 10;

export function readSaved(indexName: string): SavedSearches {
  return trim({ recent: readList(keyOf("recent", indexName)), favorites: readList(keyOf("favorites", indexName)) });
}

export function writeSaved(indexName: string, { recent, favorites }: SavedSearches): void {
  writeList(keyOf("recent", indexName), recent);
  writeList(keyOf("favorites", indexName), favorites);
}

/** What is remembered of a hit. */
export function savedHit(hit: Hit): SavedSearch {
  const place = hit.headline === hit.pageTitle ? hit.group : hit.pageTitle;
  return { href: hit.href, title: hit.headline, place, kind: hit.kind };
}

/** Put an entry on top of the recent ones; a favorite stays where it is. */
export function addRecent(saved: SavedSearches, entry: SavedSearch): SavedSearches {
  if (saved.favorites.some(isAt(entry.href))) return saved;
  return trim({ ...saved, recent: [entry, ...without(saved.recent, entry.href)] });
}

/** Make a recent entry a favorite; the oldest gives way when there are too many. */
export function addFavorite(saved: SavedSearches, entry: SavedSearch): SavedSearches {
  return trim({
    recent: without(saved.recent, entry.href),
    favorites: [entry, ...without(saved.favorites, entry.href)],
  });
}

export function removeRecent(saved: SavedSearches, href: string): SavedSearches {
  return { ...saved, recent: without(saved.recent, href) };
}

export function removeFavorite(saved: SavedSearches, href: string): SavedSearches {
  return { ...saved, favorites: without(saved.favorites, href) };
}

function trim({ recent, favorites }: SavedSearches): SavedSearches {
  return {
    recent: recent.slice(0, favorites.length > 0 ? RECENT_BESIDE_FAVORITES : RECENT),
    favorites: favorites.slice(0, FAVORITES),
  };
}

function isAt(href: string): (entry: SavedSearch) => boolean {
  return (entry) => entry.href === href;
}

function without(list: readonly SavedSearch[], href: string): SavedSearch[] {
  return list.filter((entry) => entry.href !== href);
}

function keyOf(what: string, indexName: string): string {
  return `octavo.search.${what}.${indexName}`;
}

function readList(key: string): SavedSearch[] {
  try {
    const list: unknown = JSON.parse(readStored(key) ?? "[]");
    return Array.isArray(list) ? list.filter(isSavedSearch) : [];
  } catch {
    // Broken: begin anew.
    return [];
  }
}

function isSavedSearch(entry: unknown): entry is SavedSearch {
  if (typeof entry !== "object" || entry === null) return false;
  const { href, title, place, kind } = entry as Partial<Record<keyof SavedSearch, unknown>>;
  // Anybody can write to the storage of a machine: an address that is a script must not become a link.
  const isAddress = typeof href === "string" && /^(?:\/(?!\/)|https?:\/\/)/.test(href);
  return isAddress && typeof title === "string" && typeof place === "string" && typeof kind === "string";
}

function writeList(key: string, list: readonly SavedSearch[]): void {
  writeStored(key, list.length === 0 ? null : JSON.stringify(list));
}
