import type { NamedLink } from "../../payload.gen";
import { word } from "../../ui/words";

/** Links to guides about an operation or tag; nothing if there are none. */
export function Guides({ guides }: { guides: readonly NamedLink[] }) {
  if (guides.length === 0) return null;
  return (
    <div className="api-guides">
      <p>{word(guides.length === 1 ? "api.guide" : "api.guides")}</p>
      <ul>
        {guides.map((guide) => (
          <li key={guide.href}>
            <a href={guide.href}>{guide.label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
