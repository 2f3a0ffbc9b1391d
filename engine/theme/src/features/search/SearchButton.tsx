import { useSyncExternalStore, type SubmitEvent } from "react";
import type { SearchData } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
import { openSearch, prepareSearch } from "./openSearch";

/** Opens the search dialog; without scripts a form that leads to the search page. */
export function SearchButton({ search }: { search: SearchData }) {
  const isMac = useIsMac();
  const keys = isMac ? "⌘ K" : "Ctrl K";
  return (
    <form className="search-open" action={search.pageHref} method="get" onSubmit={open}>
      <button
        type="submit"
        className="search-button"
        aria-label={`${search.placeholder} ${keys}`}
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        aria-haspopup="dialog"
        data-intent="search"
        onPointerEnter={prepareSearch}
        onFocus={prepareSearch}
      >
        <Icon name="search" />
        <span className="search-button-text">{search.placeholder}</span>{" "}
        <kbd className="search-button-keys">{keys}</kbd>
      </button>
    </form>
  );
}

function open(event: SubmitEvent): void {
  event.preventDefault();
  openSearch();
}

const never = (): (() => void) => () => undefined;

function useIsMac(): boolean {
  return useSyncExternalStore(
    never,
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
}
