import { readFileSync, writeFileSync } from "node:fs";
import FlexSearch from "flexsearch";

const { sections, queries, depth } = JSON.parse(readFileSync("input.json", "utf8"));
const index = new FlexSearch.Document({
  document: { id: "id", index: ["title", "titles", "text"] },
  tokenize: "forward",
});
for (const section of sections) index.add({ ...section, titles: section.titles.join(" ") });
const answers = {};
for (const query of queries) {
  // Fields in the order of the index: titles first. `suggest` also gives what holds only some of the words.
  const found = index.search(query, { suggest: true, limit: 100 }).flatMap(({ result }) => result);
  answers[query] = [...new Set(found.map((id) => id.split("#")[0]))].slice(0, depth);
}
writeFileSync("output.json", JSON.stringify(answers));
