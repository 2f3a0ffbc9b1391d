import type { SchemaLink, SchemaNames } from "../../payload.gen";
import { Moved } from "./Moved";

/** The schemas of a description that has many pages of them. */
export function ApiNames({ schemas }: SchemaNames) {
  return <SchemaList schemas={schemas} />;
}

export function SchemaList({ schemas }: { schemas: readonly SchemaLink[] }) {
  return (
    <ul className="api-names">
      {schemas.map(({ label, href, moved }) => (
        <li key={label} id={moved[0]}>
          <Moved ids={moved.slice(1)} />
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  );
}
