/** Why a search has no answer; `message` is what readers are told. */
export class SearchError extends Error {}

/** The site's own settings lack a credential. */
export class MissingCredentialError extends SearchError {
  constructor(name: "appId" | "apiKey") {
    super(`\`${name}\` is missing.`);
  }
}

/** No host answered in time. */
export class UnreachableError extends SearchError {
  constructor() {
    super("You might want to check your network connection.");
  }
}

/** Hosts answer, but none of them can search now. */
export class UnavailableError extends SearchError {
  readonly status: number;

  constructor(status: number) {
    super(
      status === 503 || status === 429
        ? `The search service is overloaded or restarting (status ${status}). Try again in a moment.`
        : `The search service has failed (status ${status}). This is no fault of your connection.`,
    );
    this.status = status;
  }
}

/** The service refused the request, and why. */
export class ApiError extends SearchError {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(`The search service answered ${status}${reason === "" ? "." : `: ${reason}`}`);
    this.status = status;
  }
}

/** What the service sent is not what the protocol says. */
export class DeserializationError extends SearchError {
  constructor() {
    super("The search service sent an answer that cannot be read.");
  }
}
