declare module "*.css";

declare module "*?raw" {
  const text: string;
  export default text;
}

/** Version of the theme's package, put in by the build. */
declare const __THEME_VERSION__: string;

/** It is the build for copies that are opened from disk (`octavo build --offline`). */
declare const __OFFLINE__: boolean;

/** File name of the document in which Mermaid draws; set by build.mjs. */
declare const __DIAGRAM_FRAME__: string;
