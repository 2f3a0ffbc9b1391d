import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import * as builder from "pagefind";

const { site, queries, depth } = JSON.parse(readFileSync("input.json", "utf8"));
const { index } = await builder.createIndex();
await index.addDirectory({ path: site });
await index.writeFiles({ outputPath: "bundle" });
await builder.close();

// The search script reads its index by fetch, so it is served on loopback.
const server = createServer((request, response) => {
  const file = join("bundle", new URL(request.url, "http://localhost").pathname);
  if (!existsSync(file)) return response.writeHead(404).end();
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const basePath = `http://127.0.0.1:${server.address().port}/`;
const search = await import(join(process.cwd(), "bundle", "pagefind.js"));
await search.options({ basePath, baseUrl: "/" });
const answers = {};
for (const query of queries) {
  const { results } = await search.search(query);
  const found = await Promise.all(results.slice(0, depth).map((result) => result.data()));
  answers[query] = found.map(({ url }) => url.replace(/\/$/, ""));
}
writeFileSync("output.json", JSON.stringify(answers));
server.close();
process.exit(0);
