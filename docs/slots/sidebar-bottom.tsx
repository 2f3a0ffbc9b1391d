import { withBase } from "octavo";

export const contract = 1;

/** Below the sidebar of this site. */
export default function SidebarBottom() {
  return (
    <p className="sidebar-note">
      A message that you don't understand?{" "}
      <a href={withBase("/reference/findings/")}>Look it up</a>.
    </p>
  );
}
