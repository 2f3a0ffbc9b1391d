declare module "*.css";

declare module "*?raw" {
  const text: string;
  export default text;
}

/** Version of the theme's package, put in by the build. */
declare const __THEME_VERSION__: string;

/** File name of the document in which Mermaid draws; set by build.mjs. */
declare const __DIAGRAM_FRAME__: string;
