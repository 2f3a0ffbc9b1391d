import { Picture } from "../../ui/Icon";

const PICTURES = {
  page: "M6 3.5h8l4 4v13H6zM14 3.5v4h4",
  heading: "M9.5 4l-2 16M16.5 4l-2 16M5 9h15M4 15h15",
  text: "M4 6.5h16M4 12h16M4 17.5h10",
  code: "M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5",
  command: "M5 7l5 5-5 5M12.5 17.5h7",
  star: "M12 3.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  recent: "M4 12a8 8 0 1016 0 8 8 0 10-16 0M12 7.5V12l3 2",
} as const;

/** An icon of the search. It is loaded with the dialog, so pages on which nobody searches do not load it. */
export function SearchIcon({ name }: { name: keyof typeof PICTURES }) {
  return <Picture className={`icon search-icon-${name}`} path={PICTURES[name]} />;
}
