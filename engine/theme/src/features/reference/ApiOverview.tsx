import { Fragment } from "react";
import type { OverviewView, TagView } from "../../payload.gen";
import { ApiHeading } from "./ApiHeading";
import { Breakable } from "../../ui/Breakable";
import { FactValue, Facts } from "./Facts";
import { SchemaList } from "./ApiNames";
import { OperationList } from "./ApiTag";
import { Guides } from "./Guides";
import { Html } from "./Html";
import { Moved } from "./Moved";
import { labelOf } from "./labels";
import { formatNumber, word } from "../../ui/words";

/** Most operations that an overview shows at once. Of more, each group shows its own on request: it is a page of 30 screens. */
const MOST_SHOWN = 120;

/** Facts that are numbers; a version of figures is none. */
const COUNTED = new Set(["Operations", "Schemas"]);

/** The head of an API: what it is, where it answers, how to prove who one is, the document itself. */
export function ApiOverview(api: OverviewView) {
  const isLarge = api.pages.reduce((sum, { count }) => sum + count, 0) > MOST_SHOWN;
  return (
    <div className="api-overview">
      <Html className="api-about" html={api.html} />
      <dl className="api-table">
        <dt>{word("nav.version")}</dt>
        <dd>{api.version}</dd>
        {api.servers.length > 0 && (
          <>
            <dt>{word("api.servers")}</dt>
            {api.servers.map((server) => (
              <dd key={server.url}>
                <Breakable name={server.url} />
                <Html className="api-about" html={server.html} />
                <Facts facts={server.facts} />
              </dd>
            ))}
          </>
        )}
        <dt>{word("api.authentication")}</dt>
        {api.security.length === 0 && <dd>{word("api.authentication.none")}</dd>}
        {api.security.map((scheme) => (
          <dd key={scheme.name}>
            <strong>{scheme.name}</strong>: {scheme.kind}
            <Html className="api-about" html={scheme.html} />
            <Facts facts={scheme.facts} />
          </dd>
        ))}
        {api.facts.map(({ label, value }) => (
          <Row key={label} label={label} value={value} />
        ))}
        <dt>{word("api.document")}</dt>
        <dd>
          <a href={api.download} download={api.downloadName}>
            {word("api.download", { version: api.openapi })}
          </a>
        </dd>
        {api.links.map(({ label, href }) => (
          <dd key={href}>
            <a href={href}>{labelOf(label)}</a>
          </dd>
        ))}
      </dl>
      <Html className="api-about" html={api.sectionsHtml} />
      {api.pages.map((group, index) => (
        <Fragment key={group.anchor}>
          {group.section !== "" && group.section !== api.pages[index - 1]?.section && (
            <ApiHeading level={2} id={group.sectionAnchor}>
              {group.section}
            </ApiHeading>
          )}
          <GroupOfPages group={group} isFolded={isLarge} />
        </Fragment>
      ))}
      {api.schemas.length > 0 && (
        <>
          <ApiHeading level={2} id="schemas">
            {word("api.schemas")}
          </ApiHeading>
          <SchemaList schemas={api.schemas} />
        </>
      )}
    </div>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{labelOf(label)}</dt>
      <dd>
        {/(^|: )x-/.test(label) ? <FactValue value={value} /> : COUNTED.has(label) ? formatNumber(+value) : value}
      </dd>
    </>
  );
}

function GroupOfPages({ group, isFolded }: { group: TagView; isFolded: boolean }) {
  const operations = [...group.operations, ...group.others];
  const list = <OperationList operations={operations} />;
  const count = (
    <>
      {labelOf("Operations")} <span>{formatNumber(group.count)}</span>
    </>
  );
  return (
    <section className="api-group">
      <Moved ids={group.moved} />
      <ApiHeading level={group.section === "" ? 2 : 3} id={group.anchor}>
        {group.page === "" ? group.title : <a href={group.page}>{group.title}</a>}
      </ApiHeading>
      <Html className="api-about" html={group.html} />
      <Guides guides={group.guides} />
      {isFolded && operations.length > 0 ? (
        // Browsers unfold it where an address names an operation in it, and where a search in the page finds one.
        <details className="api-fold">
          <summary>{count}</summary>
          {list}
        </details>
      ) : (
        list
      )}
      {operations.length < group.count && (
        <p className="api-elsewhere">
          <a href={group.page}>{count}</a>
        </p>
      )}
    </section>
  );
}
