// Written by `octavo types`. Do not edit: run it again after an update of Octavo.
// React's own types are those of the package @types/react, which an editor finds where it is installed.

// Of two patterns that match alike, the first one counts.
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module "*.css";
declare module "*.avif" {
  const address: string;
  export default address;
}
declare module "*.gif" {
  const address: string;
  export default address;
}
declare module "*.ico" {
  const address: string;
  export default address;
}
declare module "*.jpeg" {
  const address: string;
  export default address;
}
declare module "*.jpg" {
  const address: string;
  export default address;
}
declare module "*.png" {
  const address: string;
  export default address;
}
declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.webp" {
  const address: string;
  export default address;
}
declare module "*.mp3" {
  const address: string;
  export default address;
}
declare module "*.mp4" {
  const address: string;
  export default address;
}
declare module "*.ogg" {
  const address: string;
  export default address;
}
declare module "*.webm" {
  const address: string;
  export default address;
}
declare module "*.pdf" {
  const address: string;
  export default address;
}
declare module "*.ttf" {
  const address: string;
  export default address;
}
declare module "*.woff" {
  const address: string;
  export default address;
}
declare module "*.woff2" {
  const address: string;
  export default address;
}

declare module "octavo" {
  /** When a component comes alive in the browser: `export const client: Client = "visible"`. */
  export type Client = "load" | "visible" | "idle" | "none";
  /** Put a path of the site, such as `/img/x.svg`, under the address where it is published. */
  export function withBase(path: string): string;
  /** The color mode that is shown; `light` while the site is built. */
  export function useColorMode(): "light" | "dark";

  /** What places around the article are given; as `children`, the footer also what it replaces. */
  export interface PageSlotProps {
    readonly page: SlotPage;
    readonly site: SlotSite;
  }

  /** The page on which the slot is. */
  export interface SlotPage {
    readonly path: string;
    readonly layout: string;
    readonly title: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly lastUpdated: string | null;
    readonly editUrl: string | null;
  }

  /** The site. */
  export interface SlotSite {
    readonly title: string;
    readonly baseUrl: string;
  }

  /** What the layout of all pages is given, beside the parts that it arranges: `LayoutParts`. */
  export interface LayoutSlotProps {
    readonly page: SlotPage;
    readonly site: SlotSite;
  }

  /** What an admonition is given; its content is `children`. */
  export interface AdmonitionSlotProps {
    readonly kind: string;
    readonly title: string;
  }

  /** What a block of code is given; as `children`, the block as the theme draws it. */
  export interface CodeBlockSlotProps {
    readonly language: string;
    readonly code: string;
  }

  /** What a card, `<DocCard>`, is given; as `children`, the card as the theme draws it. */
  export interface CardSlotProps {
    readonly href: string;
    readonly title: string;
    readonly description: string;
  }

  /** What is inside a component, or what a slot replaces. */
  export interface Content {
    readonly children?: any;
  }

  /** Parts of the page that a layout arranges; null where a page has none. `main` must be shown. */
  export interface LayoutParts {
    readonly announcements: any;
    readonly topBar: any;
    readonly sidebar: any;
    readonly main: any;
    readonly footer: any;
  }

  /** Name of a slot → what it is given, in version 1 of the contract. */
  export interface SlotProps {
    "top-bar-end": PageSlotProps & Content;
    "sidebar-top": PageSlotProps & Content;
    "sidebar-bottom": PageSlotProps & Content;
    "article-top": PageSlotProps & Content;
    "article-bottom": PageSlotProps & Content;
    "contents-bottom": PageSlotProps & Content;
    "footer": PageSlotProps & Content;
    "not-found": PageSlotProps & Content;
    "search-empty": PageSlotProps & Content;
    "layout": LayoutSlotProps & LayoutParts;
    "admonition": AdmonitionSlotProps & Content;
    "code-block": CodeBlockSlotProps & Content;
    "card": CardSlotProps & Content;
  }
}
