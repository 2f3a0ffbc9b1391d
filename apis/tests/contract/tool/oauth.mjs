// The official client in TypeScript meets a guarded server, and obtains a token by itself. Prints what it found, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";

const [address, callback] = process.argv.slice(2);

/** Keeps what the client obtains, and sends its user to the page where access is granted. */
class Provider {
  redirectUrl = callback;
  clientMetadata = {
    client_name: "test",
    redirect_uris: [callback],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  clientInformation = () => this.registration;
  saveClientInformation = (registration) => void (this.registration = registration);
  tokens = () => this.obtained;
  saveTokens = (tokens) => void (this.obtained = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  redirectToAuthorization = (page) => void (this.page = page);
}

/** What a browser does: open the page, and be sent back with a code. */
async function browse(page) {
  const answer = await fetch(page, { redirect: "manual" });
  return new URL(answer.headers.get("location")).searchParams.get("code");
}

const authProvider = new Provider();
const makeTransport = () => new StreamableHTTPClientTransport(new URL(address), { authProvider });
const client = new Client({ name: "test", version: "1" });
const refused = makeTransport();
const outcome = await client.connect(refused).then(() => "connected", (error) => error);
if (!(outcome instanceof UnauthorizedError)) throw outcome;
await refused.finishAuth(await browse(authProvider.page));
await client.connect(makeTransport());
const { tools } = await client.listTools();
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), resource: authProvider.page.searchParams.get("resource") }));
