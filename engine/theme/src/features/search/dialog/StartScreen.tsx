import type { ReactNode } from "react";
import { Icon } from "../../../ui/Icon";
import {
  addFavorite,
  removeFavorite,
  removeRecent,
  type SavedSearch,
  type SavedSearches,
} from "../saved/savedSearches";
import { SearchIcon } from "../SearchIcon";
import { OptionLink } from "./OptionLink";
import { LIST_ID, optionId, type Options } from "./useOptions";
import { word } from "../../../ui/words";

interface StartScreenProps {
  saved: SavedSearches;
  options: Options;
  onChange: (saved: SavedSearches) => void;
  onLeave: () => void;
}

/** What was chosen before: recent searches and favorites. */
export function StartScreen({ saved, options, onChange, onLeave }: StartScreenProps) {
  const { recent, favorites } = saved;
  if (options.count === 0) return <p className="search-empty">{word("search.noRecent")}</p>;
  const row = (entry: SavedSearch, index: number): RowProps => ({ entry, index, options, onLeave });
  return (
    <div className="search-list">
      {/* Buttons are not allowed in an option or beside one in a listbox, so the list owns its options by `aria-owns`. */}
      <div
        id={LIST_ID}
        role="listbox"
        aria-label={word("search.saved")}
        aria-owns={Array.from({ length: options.count }, (_, index) => optionId(index)).join(" ")}
      />
      {recent.length > 0 && (
        <section className="hit-group" aria-label={word("search.recent")}>
          <p className="hit-group-label">{word("search.recent")}</p>
          {recent.map((entry, index) => (
            <SavedRow key={entry.href} icon="recent" {...row(entry, index)}>
              <RowButton
                label={word("search.save")}
                title={entry.title}
                icon="star"
                onClick={() => {
                  onChange(addFavorite(saved, entry));
                }}
              />
              <RowButton
                label={word("search.forget")}
                title={entry.title}
                icon="close"
                onClick={() => {
                  onChange(removeRecent(saved, entry.href));
                }}
              />
            </SavedRow>
          ))}
        </section>
      )}
      {favorites.length > 0 && (
        <section className="hit-group" aria-label={word("search.favorites")}>
          <p className="hit-group-label">{word("search.favorites")}</p>
          {favorites.map((entry, index) => (
            <SavedRow key={entry.href} icon="star" {...row(entry, recent.length + index)}>
              <RowButton
                label={word("search.unsave")}
                title={entry.title}
                icon="close"
                onClick={() => {
                  onChange(removeFavorite(saved, entry.href));
                }}
              />
            </SavedRow>
          ))}
        </section>
      )}
    </div>
  );
}

interface RowProps {
  entry: SavedSearch;
  index: number;
  options: Options;
  onLeave: () => void;
}

function SavedRow(props: RowProps & { icon: "recent" | "star"; children: ReactNode }) {
  const { entry, index, options, onLeave, icon, children } = props;
  return (
    <div className="saved-row">
      <OptionLink
        className="hit"
        href={entry.href}
        leavesSite={!entry.href.startsWith("/")}
        index={index}
        options={options}
        onChoose={() => undefined}
        onLeave={onLeave}
      >
        <SearchIcon name={icon} />
        <span className="hit-text">
          <span className="hit-title">{entry.title}</span>
          {entry.place !== "" && <span className="hit-detail">{entry.place.split(" / ").join(" › ")}</span>}
        </span>
      </OptionLink>
      {children}
    </div>
  );
}

interface RowButtonProps {
  label: string;
  /** Entry that it is about, for readers who can't see its position. */
  title: string;
  icon: "star" | "close";
  onClick: () => void;
}

function RowButton({ label, title, icon, onClick }: RowButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={`${label}: ${title}`} title={label} onClick={onClick}>
      {icon === "star" ? <SearchIcon name="star" /> : <Icon name="close" />}
    </button>
  );
}
