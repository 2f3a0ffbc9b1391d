const settings: Record<string, string> = "SETTINGS" as never;

export default function useDocusaurusContext() {
  return {
    siteConfig: { customFields: {}, themeConfig: {}, ...settings },
    i18n: { currentLocale: settings.locale ?? "en", defaultLocale: "en", locales: ["en"] },
    siteMetadata: {},
    globalData: {},
  };
}
