import type { ContentView } from "../../payload.gen";
import { Facts } from "./Facts";
import { Html } from "./Html";
import { SchemaBody, SchemaType } from "./Schema";
import { word } from "../../ui/words";

/** A body in each of the forms in which it may come. */
export function Contents({ contents }: { contents: readonly ContentView[] }) {
  return contents.map((content) => (
    <div key={content.mediaType} className="api-content">
      <p className="api-field">
        <code>{content.mediaType}</code> <SchemaType schema={content.body} />
      </p>
      {content.isStream && <p className="api-note">{word("api.stream")}</p>}
      <Html className="api-about" html={content.body.html} />
      <SchemaBody schema={content.body} />
      <Facts facts={content.facts} />
      {content.encoding.length > 0 && (
        <>
          <p className="api-part-label">{word("api.encoding")}</p>
          <Facts facts={content.encoding} />
        </>
      )}
    </div>
  ));
}
