import { useEffect, useState } from "react";
import type { DocsVersion, SiteData } from "../../payload.gen";
import { loadPageLabels } from "../../data/pageLabels";
import { loadShared } from "../../data/sharedData";
import { nearestPaths } from "./nearest";
import { word } from "../../ui/words";

/** Suggestions at most. */
const LIMIT = 4;

interface Suggestion {
  href: string;
  label: string;
}

/** The pages whose addresses are most similar to the requested one. */
export function Suggestions({ site }: { site: SiteData }) {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    let isCurrent = true;
    findSuggestions(site).then(
      (suggestions) => {
        if (isCurrent) setFound(suggestions);
      },
      () => {
        // They are an extra; the page says what it has to say without them.
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [site]);
  if (found.length === 0) return null;
  return (
    <div className="prose">
      <p>{word("notFound.near")}</p>
      <ul>
        {found.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

async function findSuggestions(site: SiteData): Promise<Suggestion[]> {
  const version = (await loadShared(site.docsVersion)) as DocsVersion;
  const listed = version.docs.filter((doc) => !doc.unlisted).map((doc) => doc.path);
  const nearest = nearestPaths(location.pathname.slice(site.baseUrl.length - 1), listed, LIMIT);
  if (nearest.length === 0) return [];
  const labels = await loadPageLabels(site);
  return nearest.map((href) => ({ href, label: labels.get(href) ?? href }));
}
