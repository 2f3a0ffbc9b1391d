import { describe, expect, test } from "vitest";
import "../src/compileScript";

/** Run a compiled module. */
async function run(compiled: string, exports: object): Promise<void> {
  const code = encodeURIComponent(`export default (exports) => {${compiled}\n};`);
  const { default: body } = (await import(/* @vite-ignore */ `data:text/javascript,${code}`)) as {
    default: (exports: object) => void;
  };
  body(exports);
}

const compile = (code: string) => JSON.parse(globalThis.compileComponent(code, "components/A.tsx")) as object;

describe("compileComponent", () => {
  test.each([
    ["another element", "export default () => <b>x</i>;", '"</i>" closes "<b>": the names differ', 1, 26],
    [
      "an outer element",
      "export default () => (\n  <p>\n    <b>x</p></b>\n);",
      '"</p>" closes "<b>": the names differ',
      3,
      9,
    ],
    ["a member", "export default () => <A.B>x</A.C>;", '"</A.C>" closes "<A.B>": the names differ', 1, 28],
    ["a fragment", "export default () => <>x</b>;", '"</b>" closes "<>": the names differ', 1, 25],
    [
      "an element in an attribute",
      "export default () => <A icon={<b>x</i>} />;",
      '"</i>" closes "<b>": the names differ',
      1,
      35,
    ],
  ])("an end tag that closes %s is an error at its place", (_, code, error, line, column) => {
    expect(compile(code)).toEqual({ error, line, column });
  });

  test.each([
    "export default () => <A.B a-b='1' {...{}}>x<br/><c:d e=\"<i>\"/><></></A.B>;",
    "export default () => <A icon={<b>{1 / 2}</b>} of={(a: number) => a < 1}>{[1].map((n) => <li key={n}>{n}</li>)}</A>;",
    "const f = <T,>(a: T) => a; export default () => <Box<string> a=\"1\">{f<string>('</i>')}{`</b>`}</Box>;",
    'export default () => <p>{/* </b> */}1 &lt; 2 {"</p>"}</p>;',
  ])("%s compiles", (code) => {
    expect(compile(code)).toHaveProperty("code");
  });

  test.each([
    ["several names", "export const a = 1, b = a + 1;", { a: 1, b: 2 }],
    [
      "types and functions",
      "export let a: Map<string, number> = new Map([['x', 1]]), b = (x: number) => { const c = 1, d = x; return c + d; };",
      { a: new Map([["x", 1]]) },
    ],
    [
      "patterns",
      "export const { a, b: [c, d = 3] } = { a: 1, b: [2] } as any, e = `x\ny`;",
      { a: 1, c: 2, d: 3, e: "x\ny" },
    ],
    [
      "names in two statements",
      "export const a = 1, b = 2;\nexport var c = 3,\n  d = 4\nfor (let i = 0, j = 1; i < 1; i++) a;",
      { a: 1, b: 2, c: 3, d: 4 },
    ],
    [
      "one name with commas",
      "export const a = [1, 2], text = 'export const x = 1, y';",
      { a: [1, 2], text: "export const x = 1, y" },
    ],
  ])("%s that one statement declares are all exported", async (_, code, expected) => {
    const { code: compiled } = compile(code) as { code: string };
    const exports: Record<string, unknown> = {};
    await run(compiled, exports);
    expect(exports).toMatchObject(expected);
    expect(compiled.split("\n")[0]).toContain("a");
  });

  test("a name that is changed later is exported with its new value", async () => {
    const { code: compiled } = compile("export let a = 1, b = 2;\nexport function change() { b = 3; }") as {
      code: string;
    };
    const exports: { b?: number; change?: () => void } = {};
    await run(compiled, exports);
    exports.change?.();
    expect(exports.b).toBe(3);
  });

  test("writes the mode of the build as bundlers do, in code only, and keeps columns", () => {
    const code = 'const a = process.env.NODE_ENV !== "development"; const b: string = `${process.env.NODE_ENV} x`;';
    const { code: compiled } = compile(code) as { code: string };
    expect(compiled).toContain('const a = "production"         !== "development"; const b');
    expect(compiled).toContain('`${"production"        } x`');
    const kept =
      "const c = 'process.env.NODE_ENV'; const d = my.process.env.NODE_ENV; const e = <p>process.env.NODE_ENV</p>; d; e;";
    const { code: unchanged } = compile(`${kept}process.env.OTHER`) as { code: string };
    expect(unchanged).toContain("'process.env.NODE_ENV'");
    expect(unchanged).toContain("my.process.env.NODE_ENV");
    expect(unchanged).toContain('"process.env.NODE_ENV"');
    expect(unchanged).toContain("process.env.OTHER");
  });
});
