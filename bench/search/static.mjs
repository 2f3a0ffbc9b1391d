// Runs the published worker of static search over files on disk; see `static.py`.
import { readFileSync, writeFileSync } from "node:fs";
import { createContext, Script } from "node:vm";
import { brotliCompressSync } from "node:zlib";

const { worker, folder, root, queries, weighed, perPage, perGroup } =
  JSON.parse(readFileSync(process.argv[2], "utf8"));
const script = new Script(readFileSync(worker, "utf8"));
const weights = new Map();

function weigh(name) {
  if (!weights.has(name))
    weights.set(
      name,
      brotliCompressSync(readFileSync(`${folder}/${name}`)).length,
    );
  return weights.get(name);
}

function start() {
  let handle;
  let settle;
  const loaded = [];
  const context = {
    addEventListener: (_, listener) => (handle = listener),
    postMessage: (answer) => settle(answer),
    URL,
    TextDecoder,
    performance,
    setTimeout,
    console,
    fetch: async (address) => {
      const name = address.split("/").at(-1);
      loaded.push(name);
      return {
        ok: true,
        json: async () => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")),
      };
    },
  };
  context.self = context;
  script.runInContext(createContext(context));
  let id = 0;
  const ask = async (query, most = perGroup) => {
    const before = loaded.length;
    const answer = await new Promise((resolve) => {
      settle = resolve;
      const requests = [
        {
          indexName: "docs",
          query,
          hitsPerPage: perPage,
          attributesToSnippet: ["content:15"],
        },
      ];
      handle({
        data: {
          id: ++id,
          place: { folder: "/find/", root },
          requests,
          perGroup: most,
        },
      });
    });
    if (!answer.results) throw new Error(`${query}: ${answer.problem}`);
    return {
      hits: answer.results[0].hits.map(({ url }) => url),
      files: loaded.slice(before),
    };
  };
  return ask;
}

const bytes = (files) => files.reduce((sum, name) => sum + weigh(name), 0);
const first = [];
for (const query of queries.slice(0, weighed)) {
  const ask = start();
  const { files } = await ask(query);
  const kinds = {};
  for (const name of files)
    kinds[kindOf(name)] = (kinds[kindOf(name)] ?? 0) + weigh(name);
  first.push({ query, bytes: bytes(files), requests: files.length, kinds });
}

function kindOf(name) {
  if (name === `${root}.json`) return "root";
  if (/-\d+-\d+\.json$/.test(name)) return "texts";
  const content = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
  if (typeof content === "string") return "postings";
  return Array.isArray(content) ? "words" : "outlines";
}

const further = [];
const warm = [];
const answers = {};
const ask = start();
const askAll = start();
for (const query of queries) {
  answers[query] = (await askAll(query, null)).hits;
  const { files } = await ask(query);
  further.push(bytes(files));
  await ask(query);
  const begun = process.cpuUsage();
  await ask(query);
  const { user, system } = process.cpuUsage(begun);
  warm.push({ query, ms: (user + system) / 1000 });
}
writeFileSync(
  process.argv[3],
  JSON.stringify({ first, further: further.slice(1), warm, answers }),
);
