import { Suspense } from "react";
import { SidebarContent } from "../sidebar/Sidebar";
import { word } from "../../ui/words";

interface PageMenuProps {
  /** Address of the sidebar's data. */
  address: string;
  /** Address of the current item. */
  current: string;
  /** Go to the main menu; null where there is none. */
  onBack: (() => void) | null;
}

/** The sidebar of the page. */
export function PageMenu({ address, current, onBack }: PageMenuProps) {
  return (
    <nav className="drawer-panel tree" aria-label={word("drawer.section")}>
      {onBack !== null && (
        <button type="button" className="drawer-back" onClick={onBack}>
          {word("drawer.back")}
        </button>
      )}
      <Suspense fallback={<p>{word("loading")}</p>}>
        <SidebarContent address={address} current={current} />
      </Suspense>
    </nav>
  );
}
