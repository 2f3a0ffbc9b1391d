import { readFileSync, writeFileSync } from "node:fs";
import MiniSearch from "minisearch";

const { sections, queries, depth } = JSON.parse(readFileSync("input.json", "utf8"));
const index = new MiniSearch({ fields: ["title", "titles", "text"], storeFields: [] });
const seen = new Set();
index.addAll(sections.filter(({ id }) => !seen.has(id) && seen.add(id)));
const options = { prefix: true, fuzzy: 0.2, boost: { title: 4, text: 2, titles: 1 } };
const answers = {};
for (const query of queries) {
  const pages = index.search(query, options).map(({ id }) => id.split("#")[0]);
  answers[query] = [...new Set(pages)].slice(0, depth);
}
writeFileSync("output.json", JSON.stringify(answers));
