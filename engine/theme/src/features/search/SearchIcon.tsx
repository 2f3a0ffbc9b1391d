import "./icons.css";

type SearchIconName = "page" | "heading" | "text" | "code" | "command" | "star" | "recent";

/** A picture from the search's own style sheet. */
export function SearchIcon({ name }: { name: SearchIconName }) {
  return <span className={`icon search-icon-${name}`} aria-hidden="true" />;
}
