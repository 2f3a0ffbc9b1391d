// A whole story with the gateway API, in types made from its document.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

declare const process: { argv: string[] };

type Rule = components["schemas"]["MuxRule"];

const [, , baseUrl = "", provider = ""] = process.argv;
const { GET, POST, PUT, DELETE } = createClient<paths>({ baseUrl });

/** Give what an answer holds; a refusal ends the story. */
function hold<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (!answer.response.ok) throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data as T;
}

const added = hold(
  await POST("/api/v1/provider-endpoints", {
    body: { name: "typed", provider_type: "vllm", endpoint: provider, auth_type: "none" },
  }),
);
const models = hold(
  await GET("/api/v1/provider-endpoints/{provider_name}/models", {
    params: { path: { provider_name: added.name } },
  }),
);
const workspace = hold(await POST("/api/v1/workspaces", { body: { name: "typed-story" } }));
const byName = { params: { path: { workspace_name: workspace.name } } };
const rule: Rule = {
  provider_name: added.name,
  provider_type: "vllm",
  model: models[0]?.name ?? "",
  matcher_type: "filename_match",
  matcher: "*.ts",
};
hold(await PUT("/api/v1/workspaces/{workspace_name}/muxes", { ...byName, body: [rule] }));
hold(await POST("/api/v1/workspaces/active", { body: { name: workspace.name } }));
const rules = hold(await GET("/api/v1/workspaces/{workspace_name}/muxes", byName));
const page = hold(
  await GET("/api/v1/workspaces/{workspace_name}/messages", {
    params: { ...byName.params, query: { page_size: 10, filter_by_alert_trigger_types: ["codegate-pii"] } },
  }),
);
const usage = hold(await GET("/api/v1/workspaces/{workspace_name}/token-usage", byName));
hold(await POST("/api/v1/workspaces/active", { body: { name: "default" } }));
hold(await DELETE("/api/v1/workspaces/{workspace_name}", byName));
hold(await POST("/api/v1/workspaces/archive/{workspace_name}/recover", byName));
hold(await DELETE("/api/v1/workspaces/{workspace_name}", byName));
hold(await DELETE("/api/v1/workspaces/archive/{workspace_name}", byName));

const gone = await GET("/api/v1/workspaces/{workspace_name}", byName);
const refused = await POST("/api/v1/workspaces", { body: { name: "not allowed/" } });

console.log(
  JSON.stringify({
    models: models.map((model) => model.name),
    rules: rules.map((found) => [found.model, found.matcher]),
    total: page.total,
    tokens: usage.token_usage?.input_tokens,
    gone: [gone.response.status, gone.error && "detail" in gone.error ? gone.error.detail : null],
    refused: refused.response.status,
  }),
);
