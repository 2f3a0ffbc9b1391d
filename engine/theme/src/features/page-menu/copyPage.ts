import { copyText } from "../../ui/clipboard";
import { showBriefly } from "../../ui/toast";
import { announceBriefly, BRIEF_MS } from "../navigation/Announcer";
import { word } from "../../ui/words";

/** Copy the Markdown of a page, and say on the button that it is done. */
export async function copyPage(button: HTMLButtonElement, address: string): Promise<void> {
  const loading = load(address);
  if (!(await copyWhenLoaded(loading))) {
    const isLoaded = (await loading.catch(() => null)) !== null;
    showBriefly(isLoaded ? word("pageMenu.refused") : word("pageMenu.failed"));
    return;
  }
  announceBriefly(word("copied"));
  const name = word("pageMenu.copy");
  button.textContent = word("copied");
  setTimeout(() => {
    button.textContent = name;
  }, BRIEF_MS);
}

async function load(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status.toString()}`);
  return answer.text();
}

/** Safari lets a script copy only in the moment of the click, but takes the promise of a text then. */
async function copyWhenLoaded(loading: Promise<string>): Promise<boolean> {
  try {
    const type = "text/plain";
    const content = loading.then((text) => new Blob([text], { type }));
    await navigator.clipboard.write([new ClipboardItem({ [type]: content })]);
    return true;
  } catch {
    // No secure context, or a browser that takes no promises.
    return loading.then(copyText, () => false);
  }
}
