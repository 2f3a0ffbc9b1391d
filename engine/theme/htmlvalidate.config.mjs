// Which rules of html-validate pages are held to: its recommended ones, without those of spelling.
// Usage: npx html-validate --config htmlvalidate.config.mjs FILES
export default {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // React writes these; the HTML standard allows both spellings, and parsers make the same of them.
    "attr-case": "off", // `dateTime`
    "attribute-boolean-style": "off", // `open=""`
    "void-style": "off", // `<br/>`
    "doctype-style": "off", // `<!doctype html>`, as the standard itself has it
    // The standard forbids white space only: ids of headings are those of GitHub, ids of operations have slashes.
    "valid-id": ["error", { relaxed: true }],
    // What authors write as HTML is passed on: `<p align="center">` is common in files that came from elsewhere.
    "no-deprecated-attr": "off",
  },
};
