import { say } from "./consoleWords";
import type { ReadyRequest } from "./request";

/** Longest answer that is shown, in characters. */
const LONGEST = 200_000;

/** What became of a request, so far. */
export interface Answer {
  status: number;
  statusText: string;
  /** From sending to the headers. */
  tookMs: number;
  headers: readonly (readonly [string, string])[];
  body: string;
  isStream: boolean;
  isDone: boolean;
}

/** Send a request; `onAnswer` is called again as more of a stream arrives. Rejects if there is no response. */
export async function send(
  request: ReadyRequest,
  signal: AbortSignal,
  onAnswer: (answer: Answer) => void,
): Promise<void> {
  const started = performance.now();
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    body: request.body,
    // Neither cookies nor the address of this page go along.
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    signal,
  });
  const type = response.headers.get("content-type") ?? "";
  const answer: Answer = {
    status: response.status,
    statusText: response.statusText,
    tookMs: performance.now() - started,
    headers: [...response.headers],
    body: "",
    isStream: type.includes("text/event-stream"),
    isDone: false,
  };
  onAnswer(answer);
  const body = await readBody(response, (text) => {
    if (answer.isStream) onAnswer({ ...answer, body: text });
  });
  onAnswer({ ...answer, body: type.includes("json") ? pretty(body) : body, isDone: true });
}

async function readBody(response: Response, onText: (text: string) => void): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > LONGEST) {
      await reader.cancel();
      return `${text.slice(0, LONGEST)}\n…`;
    }
    onText(text);
  }
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Explain a missing response. Browsers tell scripts only that there was none. */
export function explainFailure(url: string, command: string): string[] {
  const { origin, protocol, hostname } = new URL(url);
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname);
  const said = [say("console.failed.nothing", { origin })];
  if (location.protocol === "https:" && protocol === "http:" && !isLocal) said.push(say("console.failed.https"));
  said.push(say(isLocal ? "console.failed.local" : "console.failed.remote"));
  if (isLocal && command !== "") said.push(say("console.failed.start", { command }));
  said.push(say("console.failed.origin", { origin: location.origin }));
  return said;
}
