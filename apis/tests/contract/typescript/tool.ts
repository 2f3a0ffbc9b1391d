// A whole story with the tool API, in types made from its document.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

declare const process: { argv: string[] };

type CreateRequest = components["schemas"]["createRequest"];

const [, , baseUrl = ""] = process.argv;
const { GET, POST, DELETE } = createClient<paths>({ baseUrl });

/** Give what an answer holds; a refusal ends the story. */
function hold<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (!answer.response.ok) throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data as T;
}

const { registries } = hold(await GET("/api/v1beta/registry"));
const [registry] = registries;
const { server: entry } = hold(
  await GET("/api/v1beta/registry/{name}/servers/{serverName}", {
    params: { path: { name: registry?.name ?? "", serverName: "fetch" } },
  }),
);
const request: CreateRequest = { name: "typed-story", image: entry.image, transport: entry.transport };
const made = hold(await POST("/api/v1beta/servers", { body: request }));
const byName = { params: { path: { name: made.name } } };
const running = hold(await GET("/api/v1beta/servers/{name}", byName));
const { servers } = hold(await GET("/api/v1beta/servers", { params: { query: { all: true } } }));
hold(await POST("/api/v1beta/servers/{name}/stop", byName));
const stopped = hold(await GET("/api/v1beta/servers/{name}", byName));
hold(await POST("/api/v1beta/servers/{name}/restart", byName));
const taken = await POST("/api/v1beta/servers", { body: request, parseAs: "text" });
hold(await DELETE("/api/v1beta/servers/{name}", { params: { ...byName.params, query: { force: true } } }));
const gone = await GET("/api/v1beta/servers/{name}", { ...byName, parseAs: "text" });

console.log(
  JSON.stringify({
    states: [running.state, stopped.state],
    listed: servers.map((server) => server.name),
    port: made.port,
    taken: [taken.response.status, taken.error],
    gone: [gone.response.status, gone.error],
  }),
);
