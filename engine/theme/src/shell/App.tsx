import { useSyncExternalStore } from "react";
import { Announcements } from "../features/announcements/Announcements";
import { BackToTop } from "../features/back-to-top/BackToTop";
import { Drawer } from "../features/drawer/Drawer";
import { sidebar } from "../features/sidebar/Sidebar";
import { getLayout } from "../features/slots/layout";
import { activeSidebarId } from "../data/activeSidebar";
import { useCurrent } from "../data/current";
import { Footer } from "./Footer";
import { Navbar } from "./Navbar";
import { Page } from "./Page";

/** The page on the client, with all its parts. */
export function App() {
  const { page, site, html } = useCurrent();
  return (
    <>
      <Page
        page={page}
        site={site}
        html={html}
        Layout={getLayout()}
        parts={{
          announcements: <Announcements items={site.announcements} places={page.announcements} />,
          navbar: (
            <Navbar
              site={site}
              activeSidebar={activeSidebarId(site, page.sidebar)}
              path={page.path}
              versions={page.versions}
              locales={page.locales}
            />
          ),
          sidebar,
          footer: <Footer footer={site.footer} />,
        }}
      />
      <ClientParts />
    </>
  );
}

const never = (): (() => void) => () => undefined;

/** What needs scripts and so is not in the server's HTML. */
function ClientParts() {
  const isClient = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!isClient) return null;
  return (
    <>
      <Drawer />
      <BackToTop />
    </>
  );
}
