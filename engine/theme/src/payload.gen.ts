// Generated from engine/src/octavo/contract/payload.py by `python -m octavo.contract`. Do not edit.
/* eslint-disable */

/** Everything a page is drawn from, apart from what all pages share. */
export interface PagePayload {
  readonly path: string;
  readonly layout: "blank" | "category" | "doc" | "landing" | "not-found" | "page" | "reference" | "search" | "splash";
  readonly title: string;
  readonly documentTitle: string;
  readonly description: string;
  readonly html: string;
  readonly showsTitle: boolean;
  readonly toc: readonly TocEntry[];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly previous: LinkData | null;
  readonly next: LinkData | null;
  readonly sidebar: string | null;
  readonly sidebarPath: string;
  readonly editUrl: string | null;
  readonly lastUpdated: LastUpdated | null;
  readonly isUnlisted: boolean;
  readonly tags: readonly string[];
  readonly islands: readonly string[];
  readonly versions: readonly Alternate[];
  readonly locales: readonly Alternate[];
  readonly versionBanner: VersionBanner | null;
  readonly translation: TranslationNotice | null;
  readonly announcements: readonly number[];
  readonly site: string;
  readonly markdown: string | null;
  readonly styles?: readonly string[];
  readonly slots?: Readonly<Record<string, string>>;
}

export interface TocEntry {
  readonly level: number;
  readonly anchor: string;
  readonly html: string;
}

export interface Breadcrumb {
  readonly label: string;
  readonly href: string | null;
}

/** A place to go. */
export interface LinkData {
  readonly label: string;
  readonly href: string;
}

export interface LastUpdated {
  readonly date: string;
  readonly author: string | null;
}

/** The same page in another locale or version. */
export interface Alternate {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly isExact: boolean;
  readonly note: string;
  readonly isTranslated: boolean;
}

export interface VersionBanner {
  readonly kind: "unmaintained" | "unreleased";
  readonly versionLabel: string;
  readonly latestLabel: string;
  readonly latestHref: string;
}

/** A page that is not, or no longer, what its original says. */
export interface TranslationNotice {
  readonly kind: "outdated" | "untranslated";
  readonly href: string;
  readonly lang: string | null;
  readonly dir: "ltr" | "rtl" | null;
}

/** What all pages of one locale and version share. */
export interface SiteData {
  readonly title: string;
  readonly tagline: string;
  readonly url: string;
  readonly baseUrl: string;
  readonly locale: string;
  readonly dir: "ltr" | "rtl";
  readonly versionName: string;
  readonly versionLabel: string;
  readonly siteVersion: string;
  readonly generator: string;
  readonly navbar: NavbarData;
  readonly footer: FooterData;
  readonly colorMode: ColorModeData;
  readonly announcements: readonly AnnouncementData[];
  readonly search: SearchData | null;
  readonly docsVersion: string;
  readonly words: Readonly<Record<string, string>>;
  readonly home: string;
  readonly analytics: AnalyticsData | null;
  readonly feedback: FeedbackData | null;
  readonly copiesPages: boolean;
  readonly assistants: readonly AssistantData[];
  readonly hasTransitions: boolean;
  readonly offlineWorker: string | null;
}

export interface NavbarData {
  readonly title: string;
  readonly logo: LogoData | null;
  readonly hidesOnScroll: boolean;
  readonly items: readonly (NavLink | NavSection | NavDropdown | NavSwitch)[];
}

export interface LogoData {
  readonly src: string;
  readonly srcDark: string;
  readonly alt: string;
  readonly href: string;
  readonly width: number | null;
  readonly height: number | null;
}

export interface NavLink {
  readonly type: "link";
  readonly label: string;
  readonly href: string;
  readonly icon: string | null;
  readonly position: "left" | "right";
}

/** Leads to a sidebar's first page; current while the reader is in that sidebar. */
export interface NavSection {
  readonly type: "section";
  readonly label: string;
  readonly href: string;
  readonly sidebarId: string;
  readonly sidebar: string;
  readonly position: "left" | "right";
  readonly icon?: string;
}

export interface NavDropdown {
  readonly type: "dropdown";
  readonly label: string;
  readonly href: string | null;
  readonly items: readonly NavLink[];
  readonly position: "left" | "right";
  readonly icon?: string;
}

/** Locale or version switch; drawn only where the page has more than one. */
export interface NavSwitch {
  readonly type: "switch";
  readonly what: "locale" | "version";
  readonly position: "left" | "right";
}

export interface FooterData {
  readonly logo: LogoData | null;
  readonly copyright: string;
  readonly columns: readonly FooterColumnData[];
}

export interface FooterColumnData {
  readonly title: string;
  readonly items: readonly NavLink[];
}

export interface ColorModeData {
  readonly default: "dark" | "light";
  readonly respectsSystem: boolean;
  readonly hasSwitch: boolean;
}

export interface AnnouncementData {
  readonly id: string;
  readonly html: string;
  readonly background: string | null;
  readonly color: string | null;
  readonly isCloseable: boolean;
}

export interface SearchData {
  readonly mode: "auto" | "hosted" | "server" | "static";
  readonly base: string;
  readonly appId: string;
  readonly apiKey: string;
  readonly indexName: string;
  readonly hosts: readonly string[];
  readonly placeholder: string;
  readonly pageHref: string;
  readonly resultsPerGroup: number;
  readonly otherSites: Readonly<Record<string, string>>;
  readonly missingResultsUrl: string | null;
  readonly insights: InsightsData | null;
}

/** Where clicks on hits are reported; None in `SearchData` where they are not. */
export interface InsightsData {
  readonly host: string | null;
  readonly script: string | null;
}

/** Where page views are reported; None in `SiteData` where they are not. */
export interface AnalyticsData {
  readonly google: readonly string[];
  readonly endpoint: string | null;
  readonly anonymizesIp: boolean;
  readonly honorsDoNotTrack: boolean;
  readonly needsConsent: boolean;
  readonly consentScript: string | null;
}

/** The question below each document; None in `SiteData` where none is asked. */
export interface FeedbackData {
  readonly question: string;
  readonly action: string;
}

/** A service that can be opened with a page. */
export interface AssistantData {
  readonly label: string;
  readonly url: string;
}

export interface SidebarData {
  readonly id: string;
  readonly label: string;
  readonly items: readonly (SidebarLink | SidebarCategory)[];
}

export interface SidebarLink {
  readonly type: "link";
  readonly label: string;
  readonly href: string;
  readonly isUnlisted: boolean;
  readonly className: string | null;
  readonly icon: string;
  readonly badge?: string;
}

export interface SidebarCategory {
  readonly type: "category";
  readonly label: string;
  readonly href: string | null;
  readonly isCollapsed: boolean;
  readonly isCollapsible: boolean;
  readonly className: string | null;
  readonly items: readonly (SidebarLink | SidebarCategory)[];
  readonly icon: string;
  readonly badge?: string;
}

/** The docs-version structure of the specification, §3; one JSON file for each. */
export interface DocsVersion {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly isLast: boolean;
  readonly docs: readonly DocEntry[];
  readonly sidebars: Readonly<Record<string, SidebarEntryPoint>>;
  readonly mainDocId: string | null;
  readonly draftIds: readonly string[];
}

export interface DocEntry {
  readonly id: string;
  readonly path: string;
  readonly sidebar: string | null;
  readonly unlisted: boolean;
}

export interface SidebarEntryPoint {
  readonly link: LinkData | null;
}

/** What scripts know before anything is loaded: the JSON in the element `octavo-boot` of each page. */
export interface BootData {
  readonly base: string;
  readonly client: string;
  readonly mode: "dark" | "light";
  readonly system: boolean;
  readonly announcements: readonly BootAnnouncement[];
}

/** What the inline script must know of an announcement; their order is that of the bars. */
export interface BootAnnouncement {
  readonly id: string;
  readonly background?: string;
  readonly color?: string;
}

/** What `octavo dev` tells open pages after a change. */
export interface DevMessage {
  readonly session: string;
  readonly number: number;
  readonly policy: string;
  readonly problems: readonly Diagnostic[] | null;
  readonly failure: string;
  readonly pages: readonly PagePayload[];
  readonly touched: readonly string[];
  readonly isWhole: boolean;
  readonly hasNeeds: boolean;
  readonly styles: readonly string[];
}

/** One problem: where, what, and how to mend it. */
export interface Diagnostic {
  readonly code: string;
  readonly level: "error" | "ignore" | "warn";
  readonly span: Span;
  readonly message: string;
  readonly suggestion: string;
  readonly excerpt: string;
  readonly excerpt_start: number;
  readonly page?: string;
}

/** A place in a source file. */
export interface Span {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Props of the `tabs` island; child *n* is the panel of tab *n*. */
export interface TabsProps {
  readonly groupId: string | null;
  readonly queryString: string | null;
  readonly defaultValue: string | null;
  readonly tabs: readonly TabData[];
  readonly isLazy: boolean;
}

export interface TabData {
  readonly value: string;
  readonly label: string;
  readonly anchor?: string;
}

/** Props of the `card-list` island. */
export interface CardListProps {
  readonly items: readonly CardData[];
}

/** A card of a `card-list` island. */
export interface CardData {
  readonly kind: "category" | "doc" | "link";
  readonly href: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly count: number;
}

/** Props of the `mermaid` island. */
export interface MermaidProps {
  readonly code: string;
}

/** Props of the island `api-overview`. */
export interface OverviewView {
  readonly version: string;
  readonly openapi: string;
  readonly html: string;
  readonly sectionsHtml: string;
  readonly facts: readonly Fact[];
  readonly links: readonly NamedLink[];
  readonly servers: readonly ServerView[];
  readonly security: readonly SecurityView[];
  readonly download: string;
  readonly downloadName: string;
  readonly pages: readonly TagView[];
  readonly schemas: readonly SchemaLink[];
}

/** One keyword of a schema in words: `at least` `1`. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface NamedLink {
  readonly label: string;
  readonly href: string;
}

export interface ServerView {
  readonly url: string;
  readonly html: string;
  readonly facts: readonly Fact[];
}

export interface SecurityView {
  readonly name: string;
  readonly kind: string;
  readonly html: string;
  readonly facts: readonly Fact[];
}

/** Props of the island `api-tag`: the head of a group of operations, with a list of them. */
export interface TagView {
  readonly section: string;
  readonly sectionAnchor: string;
  readonly anchor: string;
  readonly title: string;
  readonly hasHeading: boolean;
  readonly html: string;
  readonly facts: readonly Fact[];
  readonly links: readonly NamedLink[];
  readonly guides: readonly NamedLink[];
  readonly operations: readonly OperationLink[];
  readonly others: readonly OperationLink[];
  readonly count: number;
  readonly page: string;
  readonly moved: readonly string[];
}

export interface OperationLink {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly href: string;
  readonly moved: readonly string[];
  readonly isDeprecated: boolean;
}

export interface SchemaLink {
  readonly label: string;
  readonly href: string;
  readonly moved: readonly string[];
}

/** Props of the island `api-operation`. */
export interface OperationView {
  readonly pointer: string;
  readonly anchor: string;
  readonly headingAnchor: string;
  readonly moreAnchors: readonly string[];
  readonly level: number;
  readonly hasHeading: boolean;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly isDeprecated: boolean;
  readonly servers: readonly string[];
  readonly security: readonly string[];
  readonly links: readonly NamedLink[];
  readonly facts: readonly Fact[];
  readonly guides: readonly NamedLink[];
  readonly parameters: readonly ParameterView[];
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
  readonly callbacks: readonly CallbackView[];
  readonly samples: readonly ExampleView[];
  readonly console: string;
  readonly command: string;
  readonly markdown: string;
}

export interface ParameterView {
  readonly name: string;
  readonly anchor: string;
  readonly place: "cookie" | "header" | "path" | "query";
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly html: string;
  readonly facts: readonly Fact[];
  readonly body: SchemaView;
}

/** A schema, references drawn as links. */
export interface SchemaView {
  readonly type: string;
  readonly link: NamedLink | null;
  readonly flags: readonly string[];
  readonly facts: readonly Fact[];
  readonly values: readonly string[];
  readonly html: string;
  readonly fields: readonly FieldView[];
  readonly parts: readonly SchemaPart[];
  readonly inside: string;
}

/** A field of an object. */
export interface FieldView {
  readonly name: string;
  readonly anchor: string;
  readonly href: string;
  readonly isRequired: boolean;
  readonly body: SchemaView;
}

/** Schemas within a schema that are not fields: alternatives, items, conditions. */
export interface SchemaPart {
  readonly label: string;
  readonly html: string;
  readonly schemas: readonly SchemaView[];
}

export interface BodyView {
  readonly isRequired: boolean;
  readonly html: string;
  readonly facts: readonly Fact[];
  readonly anchor: string;
  readonly contents: readonly ContentView[];
}

/** A body in one media type. */
export interface ContentView {
  readonly mediaType: string;
  readonly body: SchemaView;
  readonly isStream: boolean;
  readonly encoding: readonly Fact[];
  readonly facts: readonly Fact[];
  readonly examples: readonly ExampleView[];
}

export interface ExampleView {
  readonly label: string;
  readonly html: string;
}

export interface ResponseView {
  readonly status: string;
  readonly phrase: string;
  readonly anchor: string;
  readonly kind: "error" | "other" | "redirect" | "success";
  readonly note: string;
  readonly html: string;
  readonly facts: readonly Fact[];
  readonly headers: readonly HeaderView[];
  readonly contents: readonly ContentView[];
  readonly links: readonly LinkView[];
}

export interface HeaderView {
  readonly name: string;
  readonly anchor: string;
  readonly html: string;
  readonly body: SchemaView;
}

/** What an answer says of a request that can follow it. */
export interface LinkView {
  readonly name: string;
  readonly operation: NamedLink;
  readonly html: string;
  readonly values: readonly Fact[];
}

/** A request that the server makes in return. */
export interface CallbackView {
  readonly name: string;
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly html: string;
  readonly facts: readonly Fact[];
  readonly parameters: readonly ParameterView[];
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
}

/** Props of the island `api-schema`: a named schema at its home. */
export interface SchemaCard {
  readonly name: string;
  readonly anchor: string;
  readonly hasHeading: boolean;
  readonly level: number;
  readonly body: SchemaView;
  readonly example: string;
}

/** Props of the island `api-names`: a list of schemas. */
export interface SchemaNames {
  readonly schemas: readonly SchemaLink[];
}

export type SidebarItem = SidebarLink | SidebarCategory;

export type NavItemData = NavLink | NavSection | NavDropdown | NavSwitch;

/** Kind of island → its props. */
export interface IslandProps {
  readonly "tabs": TabsProps;
  readonly "card-list": CardListProps;
  readonly "mermaid": MermaidProps;
  readonly "api-overview": OverviewView;
  readonly "api-tag": TagView;
  readonly "api-operation": OperationView;
  readonly "api-schema": SchemaCard;
  readonly "api-names": SchemaNames;
}

/** Name of the payload file of a route, both without a leading slash. */
export function payloadFile(route: string): string {
  const path = route.endsWith(".html") ? route.slice(0, -".html".length) : route;
  return `_octavo/pages/${path === "" || path.endsWith("/") ? `${path}index` : path}.json`;
}
