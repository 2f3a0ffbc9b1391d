declare module "*.css";

/** Version of the theme's package, put in by the build. */
declare const __THEME_VERSION__: string;
