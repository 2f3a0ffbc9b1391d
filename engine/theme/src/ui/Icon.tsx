type IconName =
  | "arrow-left"
  | "arrow-right"
  | "chevron"
  | "close"
  | "discord"
  | "edit"
  | "external"
  | "github"
  | "home"
  | "linkedin"
  | "menu"
  | "search"
  | "up"
  | "youtube";

/** A picture from the style sheet (a mask in the text's colour), without meaning of its own. */
export function Icon({ name }: { name: IconName }) {
  return <span className={`icon icon-${name}`} aria-hidden="true" />;
}

const BRANDS: readonly string[] = ["github", "linkedin", "discord", "youtube"];

/** Narrow an icon's name as configured; unknown ones are not drawn. */
export function isBrandIcon(name: string | null): name is "github" | "linkedin" | "discord" | "youtube" {
  return name !== null && BRANDS.includes(name);
}
