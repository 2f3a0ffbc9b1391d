import type { OperationLink, TagView } from "../../payload.gen";
import { ApiHeading } from "./ApiHeading";
import { Breakable } from "../../ui/Breakable";
import { Facts } from "./Facts";
import { Guides } from "./Guides";
import { Html } from "./Html";
import { Method } from "./Method";
import { Moved } from "./Moved";
import { word } from "../../ui/words";

/** Characters between places to break a path in a list: its column is wide, and a large API has a thousand paths. */
const LISTED = 16;

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
      <Facts facts={tag.facts} />
      {tag.links.map((link) => (
        <p key={link.href}>
          <a href={link.href}>{link.label}</a>
        </p>
      ))}
      <Guides guides={tag.guides} />
      <OperationList operations={tag.operations} />
      {tag.others.length > 0 && (
        <>
          <p className="api-part-label">{word("api.others")}</p>
          <OperationList operations={tag.others} />
        </>
      )}
    </div>
  );
}

export function OperationList({ operations }: { operations: readonly OperationLink[] }) {
  if (operations.length === 0) return null;
  return (
    <ul className="api-list">
      {operations.map((operation, index) => (
        // The first id is that of the entry: a large API has a thousand of them.
        <li key={index} id={operation.moved[0]}>
          <Moved ids={operation.moved.slice(1)} />
          <a href={operation.href}>
            <Method method={operation.method} /> <Breakable name={operation.path} shortest={LISTED} />{" "}
            <span>
              {operation.title}
              {operation.isDeprecated && (
                <span className="api-flag api-flag-deprecated"> {word("api.deprecated")}</span>
              )}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
