import type { ClipboardEvent, KeyboardEvent, RefObject } from "react";
import { Icon } from "../../../ui/Icon";
import { cut, LONGEST_IN_DIALOG, pasted } from "../query/question";
import type { Status } from "../query/session";
import { LIST_ID, optionId, type Options } from "./useOptions";
import { word } from "../../../ui/words";

interface SearchBoxProps {
  inputRef: RefObject<HTMLInputElement | null>;
  placeholder: string;
  query: string;
  status: Status;
  options: Options;
  onQuery: (query: string) => void;
  onClose: () => void;
}

/** The field, a combobox, and its buttons. */
export function SearchBox({ inputRef, placeholder, query, status, options, onQuery, onClose }: SearchBoxProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "Escape" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onClose();
    } else {
      options.onKeyDown(event);
    }
  };
  // The field would cut a pasted message, which is searched for as a whole.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const whole = pasted(query, event.clipboardData.getData("text"), selectionStart ?? 0, selectionEnd ?? 0);
    if (whole.length <= LONGEST_IN_DIALOG) return;
    event.preventDefault();
    onQuery(whole);
  };
  return (
    <div className="search-box" data-status={status}>
      <span className="search-box-icon">
        <Icon name="search" />
      </span>
      <input
        ref={inputRef}
        className="search-box-input"
        type="text"
        inputMode="search"
        enterKeyHint={options.active >= 0 ? "go" : "search"}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={LONGEST_IN_DIALOG}
        placeholder={placeholder}
        role="combobox"
        aria-label={word("search")}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={options.count > 0}
        aria-controls={options.count > 0 ? LIST_ID : undefined}
        aria-activedescendant={options.active >= 0 ? optionId(options.active) : undefined}
        value={cut(query, LONGEST_IN_DIALOG)}
        onChange={(event) => {
          onQuery(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {query !== "" && (
        <button
          type="button"
          className="icon-button"
          aria-label={word("search.clear")}
          onClick={() => {
            onQuery("");
          }}
        >
          <Icon name="close" />
        </button>
      )}
      <button type="button" className="search-cancel" onClick={onClose}>
        <span className="search-cancel-text">{word("search.cancel")} </span>
        <kbd>Esc</kbd>
      </button>
    </div>
  );
}
