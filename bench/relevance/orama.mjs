import { readFileSync, writeFileSync } from "node:fs";
import { create, insertMultiple, search } from "@orama/orama";

const { sections, queries, depth } = JSON.parse(readFileSync("input.json", "utf8"));
const index = create({ schema: { address: "string", title: "string", titles: "string", text: "string" } });
await insertMultiple(
  index,
  sections.map(({ id, title, titles, text }) => ({ address: id, title, titles: titles.join(" "), text })),
);
const answers = {};
for (const query of queries) {
  const { hits } = await search(index, {
    term: query,
    properties: ["title", "titles", "text"],
    boost: { title: 4, text: 2, titles: 1 },
    limit: 100,
  });
  answers[query] = [...new Set(hits.map(({ document }) => document.address.split("#")[0]))].slice(0, depth);
}
writeFileSync("output.json", JSON.stringify(answers));
