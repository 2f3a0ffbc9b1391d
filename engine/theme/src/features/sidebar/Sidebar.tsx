import { Suspense, use, useEffect, useMemo } from "react";
import type { SidebarData } from "../../payload.gen";
import { replayIntent } from "../page-load/intent";
import { getCurrent, useCurrent } from "../../data/current";
import { loadShared } from "../../data/sharedData";
import { moveFocus, showCurrent } from "./sidebarBox";
import { SidebarTree } from "./SidebarTree";
import { findOpenPath } from "./tree";

/** The sidebar's content on the client, hydrated as soon as its data is loaded. */
export const sidebar = (
  // One element for good: new props would make React throw away markup that still waits for its data.
  <Suspense fallback={null}>
    <CurrentSidebar />
  </Suspense>
);

function CurrentSidebar() {
  const { page } = useCurrent();
  return page.sidebar === null ? null : (
    <LoadedSidebar key={page.sidebar} address={page.sidebar} current={page.sidebarPath} />
  );
}

function LoadedSidebar({ address, current }: SidebarContentProps) {
  useEffect(() => {
    const box = sidebarBox();
    if (box === null) return;
    replayIntent(box);
    box.addEventListener("keydown", moveFocus);
    return () => {
      box.removeEventListener("keydown", moveFocus);
    };
  }, []);
  useEffect(() => {
    // On the page that came as HTML the inline script has done it; to look again would lay the page out in this task.
    if (getCurrent().html !== "") showCurrent(sidebarBox());
  }, [current]);
  return <SidebarContent address={address} current={current} />;
}

interface SidebarContentProps {
  /** Address of the data. */
  address: string;
  /** Address of the current item. */
  current: string;
}

/** The tree of a sidebar, suspended until its data is here. */
export function SidebarContent({ address, current }: SidebarContentProps) {
  const data = use(loadShared(address)) as SidebarData;
  const openPath = useMemo(() => findOpenPath(data.items, current) ?? [], [data, current]);
  return <SidebarTree items={data.items} openPath={openPath} current={current} />;
}

function sidebarBox(): HTMLElement | null {
  return document.querySelector(".sidebar");
}
