/// <reference types="vite/client" />
import source from "../node_modules/react-dom/cjs/react-dom-client.production.js?raw";
import { expect, test } from "vitest";
// @ts-expect-error The build's own module, in JavaScript.
import { prune, pruneInterface } from "../pruneReact.mjs";
import interfaceSource from "../node_modules/react-dom/cjs/react-dom.production.js?raw";

const SOURCES = import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

/** What the theme may use no more, since `pruneReact.mjs` takes it out of React. */
const LEFT_OUT: Record<string, RegExp> = {
  "components and hooks": /\b(?:ViewTransition|Activity|SuspenseList|useActionState|useFormStatus|useFormState)\b/,
  "resources of the head": /\b(?:preinit|preinitModule|preload|preloadModule|preconnect|prefetchDNS)\(/,
  "elements of the head": /<(?:link|meta|style|title|script|base)[\s/>]/,
  "actions of forms": /\b(?:action|formAction)=\{(?!.*(?:Href|\baction\b|\.action\b))/,
  events: /\b(?:onBeforeInput|onSelect)=/,
  "custom elements": /<[a-z]+-[a-z]/,
};

test("the build leaves out a sixth of React, and finds each function that it names", () => {
  const pruned = (prune as (code: string) => string)(source);
  expect(pruned.length).toBeLessThan(source.length * 0.84);
  expect(pruned).not.toContain("FragmentInstance.prototype");
  expect(pruned).not.toMatch(/^(?:var|\s) ?\w+ = Error\(/m);
});

test("what react-dom exports for the head does nothing, and the rest is whole", () => {
  const pruned = (pruneInterface as (code: string) => string)(interfaceSource);
  expect(pruned).toContain("exports.preload = function () {};");
  expect(pruned.length).toBeLessThan(interfaceSource.length * 0.55);
  const names = (code: string): string[] => [...code.matchAll(/^exports\.(\w+) =/gm)].map((match) => match[1] ?? "");
  expect(names(pruned)).toEqual(names(interfaceSource));
  expect(() => (pruneInterface as (code: string) => string)("")).toThrow(/Look through pruneReact\.mjs again/);
});

test("a function that React has no more stops the build", () => {
  expect(() => (prune as (code: string) => string)("")).toThrow(
    /has no function .* Look through pruneReact\.mjs again/,
  );
});

test.each(Object.entries(LEFT_OUT))("the theme uses no %s that are left out", (_, pattern) => {
  const users = Object.entries(SOURCES).filter(
    ([file, text]) =>
      !/diagramFrame|compileScript|offlineWorker|payload\.gen/.test(file) &&
      pattern.test(text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "")),
  );
  expect(users.map(([file]) => file)).toEqual([]);
});
