import { copyText } from "../../ui/clipboard";
import { showBriefly } from "../../ui/toast";
import { announceBriefly, BRIEF_MS } from "../navigation/Announcer";

/** Copy an operation: as the command that its first sample shows, or as the Markdown that is published beside its page. */
export async function copyOperation(button: HTMLButtonElement): Promise<void> {
  const { copy = "" } = button.dataset;
  const text = copy === "curl" ? curlOf(button) : await loadMarkdown(copy);
  if (text === null) {
    showBriefly("The Markdown of this operation could not be loaded. Check your connection and try again.");
    return;
  }
  if (!(await copyText(text))) {
    showBriefly("Your browser did not allow copying.");
    return;
  }
  announceBriefly("Copied");
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = copy === "curl" ? "Copy as curl" : "Copy as Markdown";
  }, BRIEF_MS);
}

function curlOf(button: HTMLButtonElement): string | null {
  const section = button.closest(".api-operation");
  return section?.querySelector('[data-language] figure[data-language="bash"] code')?.textContent ?? null;
}

async function loadMarkdown(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
