import { copyText } from "../../ui/clipboard";
import { showBriefly } from "../../ui/toast";
import { word } from "../../ui/words";
import { announceBriefly, BRIEF_MS } from "../navigation/Announcer";

/** Copy an operation: as the command that its first sample shows, or as the Markdown that is published beside its page. */
export async function copyOperation(button: HTMLButtonElement): Promise<void> {
  const { copy = "" } = button.dataset;
  const text = copy === "curl" ? curlOf(button) : await loadMarkdown(copy);
  if (text === null) {
    showBriefly(word("pageMenu.failed"));
    return;
  }
  if (!(await copyText(text))) {
    showBriefly(word("pageMenu.refused"));
    return;
  }
  announceBriefly(word("copied"));
  // A second click meets the word for the first one.
  button.dataset.label ??= button.textContent;
  button.textContent = word("copied");
  setTimeout(() => {
    button.textContent = button.dataset.label ?? "";
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
