// A conversation of the official client in TypeScript with a site: what it was answered, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [address, command, ...rest] = process.argv.slice(2);

async function talk(transport) {
  const client = new Client({ name: "octavo-tests", version: "1.0.0" });
  await client.connect(transport);
  const text = (result) => result.content.map((part) => part.text).join("");
  const answers = {
    server: client.getServerVersion().name,
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools.map((tool) => tool.name),
    found: text(await client.callTool({ name: "search", arguments: { query: "amber wheel" } })),
    refused: (await client.callTool({ name: "search", arguments: { query: "" } })).isError,
    templates: (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate),
  };
  const { resources } = await client.listResources();
  const page = resources.find((one) => one.name === "Glaze");
  answers.page = (await client.readResource({ uri: page.uri })).contents[0];
  await client.close();
  return answers;
}

const answers = {
  http: await talk(new StreamableHTTPClientTransport(new URL(address))),
  stdio: await talk(new StdioClientTransport({ command, args: rest })),
};
console.log(JSON.stringify(answers));
