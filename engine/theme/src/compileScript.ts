// Turns a configuration file of another engine (TypeScript or an ES module) into a script that V8 runs by itself.
// Only `octavo import` loads it.
import { transform } from "sucrase";

declare global {
  var compileScript: (code: string, path: string) => string;
}

globalThis.compileScript = (code, path) =>
  transform(code, {
    // In a file ending in .ts, <T>x is a type assertion and no element.
    transforms: path.endsWith("ts") ? ["typescript", "imports"] : ["typescript", "imports", "jsx"],
    jsxRuntime: "classic",
    filePath: path,
    production: true,
  }).code;
