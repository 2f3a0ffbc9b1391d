/** What packages that draw Markdown offer, for texts of a few paragraphs: links, emphasis, code, lists and headings. */
const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`|<[a-z/!][^>]*>)/i)
    .map((part) => {
      if (part.startsWith("`") && part.length > 1) return `<code>${escape(part.slice(1, -1))}</code>`;
      if (part.startsWith("<")) return part;
      return part
        .replace(/&(?!#?\w+;)/g, "&amp;")
        .replace(/!\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g, '<img src="$2" alt="$1">')
        .replace(/\[([^\]]+)\]\(([^)\s]+)[^)]*\)/g, '<a href="$2">$1</a>')
        .replace(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g, (_, one, other) => `<strong>${one ?? other}</strong>`)
        .replace(/\*([^*\s][^*\n]*)\*|\b_([^_\s][^_\n]*)_\b/g, (_, one, other) => `<em>${one ?? other}</em>`);
    })
    .join("");
}

function block(text: string): string {
  const heading = /^(#{1,6})\s+(.*)$/.exec(text);
  if (heading) return `<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`;
  const lines = text.split("\n");
  for (const [mark, list] of [
    [/^\s*[-*+]\s+/, "ul"],
    [/^\s*\d+[.)]\s+/, "ol"],
  ] as const)
    if (lines.every((line) => mark.test(line)))
      return `<${list}>${lines.map((line) => `<li>${inline(line.replace(mark, ""))}</li>`).join("")}</${list}>`;
  return /^<(?!a\b|b\b|code\b|em\b|i\b|img\b|span\b|strong\b)[a-z]/i.test(text) ? text : `<p>${inline(text)}</p>`;
}

function draw(text: unknown): string {
  const pieces = String(text ?? "")
    .trim()
    .split(/(^```[^\n]*\n[\s\S]*?^```[ \t]*$)/m);
  return pieces
    .flatMap((piece) => {
      const code = /^```[^\n]*\n([\s\S]*?)```[ \t]*$/.exec(piece);
      if (code) return [`<pre><code>${escape(code[1])}</code></pre>`];
      return piece
        .split(/\n\s*\n/)
        .map((one) => one.trim())
        .filter(Boolean)
        .map(block);
    })
    .join("\n");
}

const methods = { parse: draw, parseInline: (text: unknown) => inline(String(text ?? "")), use: () => methods };

/** `marked` and `micromark`. */
export const marked = Object.assign((text: unknown) => draw(text), methods);
export const micromark = draw;
export const parse = draw;
export const parseInline = methods.parseInline;

/** `@astrojs/markdown-remark`. */
export const createMarkdownProcessor = () => ({ render: (text: unknown) => ({ code: draw(text) }) });

/** `markdown-it`, with and without `new`. */
export default function MarkdownIt() {
  return { render: draw, renderInline: methods.parseInline, use: () => MarkdownIt(), parse: draw };
}
