// Searches beside the page, which goes on answering keys meanwhile.
import type { SearchRequest } from "../client/wire";
import type { StaticSearch } from "./answer";
import { openStatic, type Place } from "./load";

interface Question {
  id: number;
  place: Place;
  requests: readonly SearchRequest[];
  perGroup: number | null;
}

let opened: { root: string; search: Promise<StaticSearch> } | null = null;

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  const { id, place, requests, perGroup } = data;
  if (opened?.root !== place.root) opened = { root: place.root, search: openStatic(place) };
  opened.search
    .then((search) => search.search(requests, perGroup))
    .then(
      (results) => {
        postMessage({ id, results });
      },
      (error: unknown) => {
        opened = null;
        postMessage({ id, problem: String(error) });
      },
    );
});
