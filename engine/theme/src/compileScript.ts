// Turns programs of authors into scripts that V8 runs by themselves: a configuration file of another engine, and the
// components of a site. Loaded only where there is one to compile.
import { transform } from "sucrase";

declare global {
  var compileScript: (code: string, path: string) => string;
  var compileComponent: (code: string, path: string) => string;
}

globalThis.compileScript = (code, path) =>
  transform(code, {
    // In a file ending in .ts, <T>x is a type assertion and no element.
    transforms: path.endsWith("ts") ? ["typescript", "imports"] : ["typescript", "imports", "jsx"],
    jsxRuntime: "classic",
    filePath: path,
    production: true,
  }).code;

/** Compile a module of a component to the body of a function of CommonJS; gives JSON: code and mappings, or an error. */
globalThis.compileComponent = (code, path) => {
  try {
    const result = transform(code, {
      transforms: path.endsWith(".ts") ? ["typescript", "imports"] : ["typescript", "imports", "jsx"],
      jsxRuntime: "automatic",
      filePath: path,
      production: true,
      sourceMapOptions: { compiledFilename: path },
    });
    return JSON.stringify({ code: result.code, mappings: result.sourceMap?.mappings ?? "" });
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } };
    return JSON.stringify({ error: message, line: loc?.line ?? 1, column: loc?.column ?? 1 });
  }
};
