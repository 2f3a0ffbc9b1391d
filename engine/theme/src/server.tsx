// The bundle for V8 inside Python: no DOM, no timers, no network. See engine/theme/README.md for the contract.
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { blockElement, type Block, type IslandKind } from "./blocks/block";
import { CardList } from "./blocks/CardList";
import { Mermaid } from "./blocks/Mermaid";
import { Tabs } from "./blocks/Tabs";
import { Announcements } from "./features/announcements/Announcements";
import { ApiNames } from "./features/reference/ApiNames";
import { ApiOperation } from "./features/reference/ApiOperation";
import { ApiOverview } from "./features/reference/ApiOverview";
import { ApiSchema } from "./features/reference/ApiSchema";
import { ApiTag } from "./features/reference/ApiTag";
import { serverSidebar } from "./features/sidebar/serverSidebar";
import { SidebarTree } from "./features/sidebar/SidebarTree";
import type { LayoutParts } from "./features/slots/layout";
import type { IslandProps, PagePayload, SidebarData, SiteData } from "./payload.gen";
import { activeSidebarId } from "./data/activeSidebar";
import { Footer } from "./shell/Footer";
import { Navbar } from "./shell/Navbar";
import { Page, type PageParts } from "./shell/Page";
import { setLanguage } from "./ui/words";

/** Mark of a place that Python fills; no document contains NUL. */
function slot(name: string): string {
  return `\u0000${name}\u0000`;
}

const sites = new Map<string, SiteData>();
const sidebars = new Map<string, SidebarData>();

/** Blocks by kind. `isLive`: it holds state, so the client must hydrate it. */
const blocks: { readonly [Kind in IslandKind]: { Component: Block<Kind>; isLive: boolean } } = {
  tabs: { Component: Tabs, isLive: true },
  mermaid: { Component: Mermaid, isLive: true },
  "card-list": { Component: CardList, isLive: false },
  "api-overview": { Component: ApiOverview, isLive: false },
  "api-tag": { Component: ApiTag, isLive: false },
  "api-operation": { Component: ApiOperation, isLive: false },
  "api-names": { Component: ApiNames, isLive: false },
  "api-schema": { Component: ApiSchema, isLive: false },
};

function find<T>(map: Map<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing has been loaded under "${key}".`);
  return value;
}

/** The data of a site, whose language is spoken from now on. */
function speak(key: string): SiteData {
  const site = find(sites, key);
  setLanguage(site);
  return site;
}

const slots: PageParts = {
  announcements: slot("ANNOUNCEMENTS"),
  navbar: slot("NAVBAR"),
  sidebar: serverSidebar(slot("SIDEBAR")),
  footer: slot("FOOTER"),
};

function renderPage(page: PagePayload): string {
  const site = speak(page.site);
  const parts = hasSwitch(page, site) ? { ...slots, navbar: pageNavbar(page, site) } : slots;
  return renderToString(<Page page={page} site={site} html={page.html} parts={parts} Layout={Pieces} />);
}

/** In the place of a layout of the site's own, which another V8 draws: the parts, for Python to put into it. */
function Pieces({ parts: { announcements, topBar, sidebar, main, footer } }: { parts: LayoutParts }) {
  const mark = slot("PIECE");
  return (
    <>
      {mark}
      {announcements}
      {mark}
      {topBar}
      {mark}
      {sidebar}
      {mark}
      {main}
      {mark}
      {footer}
      {mark}
    </>
  );
}

/** A switch leads to this page's other editions, so its bar is no other page's. */
function hasSwitch(page: PagePayload, site: SiteData): boolean {
  if (page.versions.length < 2 && page.locales.length < 2) return false;
  return site.navbar.items.some(
    (item) => item.type === "switch" && (item.what === "locale" ? page.locales : page.versions).length > 1,
  );
}

function pageNavbar(page: PagePayload, site: SiteData): ReactElement {
  return (
    <Navbar
      site={site}
      activeSidebar={activeSidebarId(site, page.sidebar)}
      path={page.path}
      versions={page.versions}
      locales={page.locales}
    />
  );
}

interface IslandData<Kind extends IslandKind> {
  kind: Kind;
  props: IslandProps[Kind];
}

function renderIsland<Kind extends IslandKind>({ kind, props }: IslandData<Kind>): string {
  if (!Object.hasOwn(blocks, kind)) throw new Error(`The theme has no island of kind "${kind}".`);
  const { Component, isLive } = blocks[kind];
  const html = renderToString(blockElement(Component, props, { id: slot("ID"), child: (index) => slot(`C${index}`) }));
  if (!isLive) return html;
  const data = JSON.stringify(props).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<div class="island" data-island="${kind}" data-id="${slot("ID")}" data-props="${data}">${html}</div>`;
}

const Octavo = {
  version: __THEME_VERSION__,

  // Python's side of the call can't take `undefined`, so the two answer something.
  loadSite(key: string, json: string): true {
    sites.set(key, JSON.parse(json) as SiteData);
    return true;
  },

  /** More words of a site's language, which only the server draws. */
  loadWords(key: string, json: string): true {
    const site = find(sites, key);
    sites.set(key, { ...site, words: { ...site.words, ...(JSON.parse(json) as SiteData["words"]) } });
    return true;
  },

  loadSidebar(key: string, json: string): true {
    sidebars.set(key, JSON.parse(json) as SidebarData);
    return true;
  },

  renderPages(json: string): string {
    return JSON.stringify((JSON.parse(json) as PagePayload[]).map(renderPage));
  },

  renderNavbar(siteKey: string, activeSidebar: string | null, path: string): string {
    const site = speak(siteKey);
    return renderToString(<Navbar site={site} activeSidebar={activeSidebar} path={path} versions={[]} locales={[]} />);
  },

  /** The bars of pages that lead to their other editions; empty for the others. */
  renderBars(json: string): string {
    const pages = JSON.parse(json) as PagePayload[];
    const drawn = pages.map((page) => {
      const site = speak(page.site);
      return hasSwitch(page, site) ? renderToString(pageNavbar(page, site)) : "";
    });
    return JSON.stringify(drawn);
  },

  renderFooter(siteKey: string): string {
    return renderToString(<Footer footer={speak(siteKey).footer} />);
  },

  /** The announcements of these places. */
  renderAnnouncements(siteKey: string, places: string): string {
    const { announcements } = speak(siteKey);
    return renderToString(<Announcements items={announcements} places={JSON.parse(places) as number[]} />);
  },

  /** The sidebar with one branch open. Carries no mark of the current item: pages of one branch share it. */
  renderSidebar(siteKey: string, sidebarKey: string, openPath: string): string {
    speak(siteKey);
    const path = JSON.parse(openPath) as number[];
    return renderToString(<SidebarTree items={find(sidebars, sidebarKey).items} openPath={path} current={null} />);
  },

  renderIslands(siteKey: string, json: string): string {
    speak(siteKey);
    return JSON.stringify((JSON.parse(json) as IslandData<IslandKind>[]).map(renderIsland));
  },
};

Object.assign(globalThis, { Octavo });
