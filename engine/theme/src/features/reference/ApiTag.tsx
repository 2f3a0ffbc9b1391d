import type { OperationLink, TagView } from "../../payload.gen";
import { ApiHeading } from "./ApiHeading";
import { Guides } from "./Guides";
import { Html } from "./Html";
import { Method } from "./Method";

/** The head of a group of operations. */
export function ApiTag(tag: TagView) {
  return (
    <div className="api-tag">
      {tag.hasHeading ? (
        <ApiHeading level={2} id={tag.anchor}>
          {tag.title}
        </ApiHeading>
      ) : (
        <span id={tag.anchor} />
      )}
      <Html className="api-about" html={tag.html} />
      {tag.links.map((link) => (
        <p key={link.href}>
          <a href={link.href}>{link.label}</a>
        </p>
      ))}
      <Guides guides={tag.guides} />
      <OperationList operations={tag.operations} />
    </div>
  );
}

export function OperationList({ operations }: { operations: readonly OperationLink[] }) {
  return (
    <ul className="api-list">
      {operations.map((operation, index) => (
        <li key={index} id={operation.anchor || undefined}>
          <a href={operation.href}>
            <Method method={operation.method} /> <code>{operation.path}</code> <span>{operation.title}</span>
          </a>
          {operation.isDeprecated && <span className="api-flag api-flag-deprecated"> deprecated</span>}
        </li>
      ))}
    </ul>
  );
}
