declare module "*.css";

declare module "*?raw" {
  const text: string;
  export default text;
}

/** Version of the theme's package, put in by the build. */
declare const __THEME_VERSION__: string;
