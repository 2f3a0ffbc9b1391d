// The modules that components of authors may import beside their own files.
import React from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as reactDom from "react-dom";

/** The color mode for which the build draws: it does not know that of a reader. */
export const DRAWN_MODE = "light";

/** What the module `octavo` exports; it differs between the two sides. */
interface PublicModule {
  /** Put a path of the site under the address where it is published. */
  withBase: (path: string) => string;
  /** The color mode that is shown; `DRAWN_MODE` while the site is built, and in the first moment of a page. */
  useColorMode: () => "light" | "dark";
}

/** Give the finder of the modules that are not the author's; `own` is what a side has in the place of parts of React. */
export function publicModules(octavo: PublicModule, own?: Partial<typeof React>): (name: string) => unknown {
  const known: Readonly<Record<string, unknown>> = {
    react: own === undefined ? React : { ...React, ...own },
    "react/jsx-runtime": jsxRuntime,
    "react-dom": reactDom,
    octavo,
  };
  return (name) => {
    // Style sheets are linked by the page.
    if (name.endsWith(".css")) return {};
    if (!Object.hasOwn(known, name)) throw new Error(`There is no module "${name}".`);
    return known[name];
  };
}
