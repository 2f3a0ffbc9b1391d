import { readFileSync, writeFileSync } from "node:fs";
import lunr from "lunr";

const { sections, queries, depth } = JSON.parse(readFileSync("input.json", "utf8"));
const index = lunr((builder) => {
  builder.ref("id");
  builder.field("title", { boost: 4 });
  builder.field("titles");
  builder.field("text", { boost: 2 });
  for (const section of sections) builder.add({ ...section, titles: section.titles.join(" ") });
});
const answers = {};
for (const query of queries) {
  // As the local search of Docusaurus asks: words as they are, as beginnings, with one mistake.
  const found = index.query((asked) => {
    for (const token of lunr.tokenizer(query)) {
      asked.term(token, { boost: 10 });
      asked.term(token, { wildcard: lunr.Query.wildcard.TRAILING, boost: 2 });
      asked.term(token, { editDistance: 1 });
    }
  });
  answers[query] = [...new Set(found.map(({ ref }) => ref.split("#")[0]))].slice(0, depth);
}
writeFileSync("output.json", JSON.stringify(answers));
