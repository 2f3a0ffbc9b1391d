// The shapes of the search protocol, as far as the theme reads them.

/** One search of a request. */
export interface SearchRequest {
  indexName: string;
  query: string;
  hitsPerPage: number;
  [parameter: string]: unknown;
}

/** A text of a hit with its marks. */
interface WireText {
  value: string;
}

export interface WireHit {
  objectID: string;
  url: string;
  /** `lvl1` to `lvl6`, or `content`. */
  type: string;
  kind?: string;
  version?: string | null;
  hierarchy: Readonly<Partial<Record<string, string | null>>>;
  _snippetResult?: {
    hierarchy?: Readonly<Partial<Record<string, WireText>>>;
    content?: WireText;
  };
}

export interface WireResult {
  hits: readonly WireHit[];
  nbHits: number;
  /** False: the number is an estimate. */
  exhaustiveNbHits?: boolean;
  nbPages?: number;
  queryID?: string;
  facets?: Readonly<Partial<Record<string, Readonly<Record<string, number>>>>>;
}
