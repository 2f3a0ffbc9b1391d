import { word } from "../../../ui/words";

/** Why a search has no answer; `message` is shown to readers. */
export class SearchError extends Error {}

/** The site's own settings lack a credential. */
export class MissingCredentialError extends SearchError {
  constructor(name: "appId" | "apiKey") {
    super(word("search.error.missing", { name }));
  }
}

/** No host answered in time. */
export class UnreachableError extends SearchError {
  constructor() {
    super(word("search.error.network"));
  }
}

/** Hosts answer, but none of them can search now. */
export class UnavailableError extends SearchError {
  readonly status: number;

  constructor(status: number) {
    super(word(status === 503 || status === 429 ? "search.error.busy" : "search.error.service", { status }));
    this.status = status;
  }
}

/** The service refused the request, and why. */
export class ApiError extends SearchError {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(word(reason === "" ? "search.error.status" : "search.error.refused", { status, reason }));
    this.status = status;
  }
}

/** What the service sent is not what the protocol says. */
export class DeserializationError extends SearchError {
  constructor() {
    super(word("search.error.unreadable"));
  }
}
