import { describe, expect, test } from "vitest";
import "../src/compileScript";

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
