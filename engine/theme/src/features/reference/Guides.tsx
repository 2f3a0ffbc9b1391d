import type { NamedLink } from "../../payload.gen";

/** Pages that tell how to use what stands above; nothing where there are none. */
export function Guides({ guides }: { guides: readonly NamedLink[] }) {
  if (guides.length === 0) return null;
  return (
    <div className="api-guides">
      <p>{guides.length === 1 ? "Guide" : "Guides"}</p>
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
