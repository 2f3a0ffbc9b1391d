/** The answer of the preview's server to a text. */
export interface Compiled {
  html: string;
  findings: { level: string; code: string; message: string; line: number; column: number }[];
}

const ADDRESS = "/_octavo/dev/playground";

/** Read what the preview's server wants with each text; undefined on a published site. */
export function readToken(): string | undefined {
  return document.querySelector<HTMLElement>('script[src="/_octavo/dev/client.js"]')?.dataset.token;
}

/** Have a text compiled; undefined when a newer text has taken its place. */
export async function send(text: string, token: string, signal: AbortSignal): Promise<Compiled | undefined> {
  try {
    const answer = await fetch(ADDRESS, {
      method: "POST",
      body: JSON.stringify({ path: location.pathname, text }),
      headers: { "Content-Type": "application/json", "X-Octavo-Token": token },
      signal,
    });
    return answer.ok ? ((await answer.json()) as Compiled) : failed((await answer.text()).trim());
  } catch (error) {
    return signal.aborted ? undefined : failed(`The preview's server does not answer: ${String(error)}`);
  }
}

function failed(message: string): Compiled {
  return { html: "", findings: [{ level: "error", code: "server", message, line: 1, column: 1 }] };
}

/** Make the document of a frame. The text may contain any HTML, so the frame must run no scripts. */
export function frameOf(html: string): string {
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const links = styles.map((link) => `<link rel="stylesheet" href="${escapeHtml(link.href)}">`).join("");
  const root = [...document.documentElement.attributes]
    .map(({ name, value }) => `${name}="${escapeHtml(value)}"`)
    .join(" ");
  return `<!doctype html><html ${root}><head><title>Result</title><base target="_blank">${links}</head>
<body class="playground-frame"><div class="prose">${html}</div></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
