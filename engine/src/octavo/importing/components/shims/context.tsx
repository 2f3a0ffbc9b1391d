const settings: Record<string, string> = "SETTINGS" as never;

export default function useDocusaurusContext() {
  return {
    siteConfig: { ...settings, customFields: {}, themeConfig: {} },
    i18n: { currentLocale: settings.locale ?? "en", defaultLocale: "en", locales: ["en"] },
    siteMetadata: {},
    globalData: {},
  };
}
