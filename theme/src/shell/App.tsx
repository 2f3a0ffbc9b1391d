import { Announcements } from "../features/announcements/Announcements";
import { sidebar } from "../features/sidebar/Sidebar";
import { useCurrent } from "./current";
import { Footer } from "./Footer";
import { Navbar } from "./Navbar";
import { activeSidebarId } from "./activeSidebar";
import { Page } from "./Page";

/** The page on the client, with all its parts. */
export function App() {
  const { page, site, html } = useCurrent();
  return (
    <Page
      page={page}
      site={site}
      html={html}
      parts={{
        announcements: <Announcements items={site.announcements} />,
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
  );
}
