import { withBase } from "octavo";

export const contract = 1;

/** Below the sidebar of this site. */
export default function SidebarBottom() {
  return (
    <p>
      Something reported? <a href={withBase("/reference/findings/")}>All findings</a>
    </p>
  );
}
