import type { SearchData } from "../../../payload.gen";
import { countText } from "../countText";
import type { Answer } from "../query/answer";
import { questionHref } from "../query/question";
import { word } from "../../../ui/words";

interface DialogFooterProps {
  search: SearchData;
  /** Null: there is nothing to see all of. */
  answer: Answer | null;
  onLeave: () => void;
}

export function DialogFooter({ search, answer, onLeave }: DialogFooterProps) {
  return (
    <footer className="search-footer">
      <ul className="search-keys" aria-label={word("search.keys")}>
        <li>
          <kbd aria-label={word("search.keys.enter")}>↵</kbd> {word("search.keys.select")}
        </li>
        <li>
          <kbd aria-label={word("search.keys.up")}>↑</kbd> <kbd aria-label={word("search.keys.down")}>↓</kbd>{" "}
          {word("search.keys.navigate")}
        </li>
        <li>
          <kbd>Esc</kbd> {word("search.keys.close")}
        </li>
      </ul>
      {answer !== null && (
        <a
          className="search-all"
          href={questionHref(search.pageHref, answer.question)}
          onClick={(event) => {
            if (!(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) onLeave();
          }}
        >
          {word("search.all", { results: countText(answer) })}
        </a>
      )}
    </footer>
  );
}
