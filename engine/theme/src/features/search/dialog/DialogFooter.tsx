import type { SearchData } from "../../../payload.gen";
import { countText } from "../countText";
import type { Answer } from "../query/answer";
import { questionHref } from "../query/question";

interface DialogFooterProps {
  search: SearchData;
  /** Null: there is nothing to see all of. */
  answer: Answer | null;
  onLeave: () => void;
}

export function DialogFooter({ search, answer, onLeave }: DialogFooterProps) {
  return (
    <footer className="search-footer">
      <ul className="search-keys" aria-label="Keys">
        <li>
          <kbd aria-label="Enter">↵</kbd> to select
        </li>
        <li>
          <kbd aria-label="Arrow up">↑</kbd> <kbd aria-label="Arrow down">↓</kbd> to navigate
        </li>
        <li>
          <kbd>Esc</kbd> to close
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
          See all {countText(answer)}
        </a>
      )}
    </footer>
  );
}
