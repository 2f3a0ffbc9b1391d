// What React's published form says by a number only, for authors of components.

const TEXTS: Readonly<Record<string, string>> = {
  31: "It returns or shows a value that React cannot show: %s. Show its fields, or a list of elements",
  60: "An element has both children and dangerouslySetInnerHTML",
  61: "dangerouslySetInnerHTML must be {{ __html: … }}",
  62: 'style must be an object, such as style={{ color: "red" }}',
  130: "An element has no component: it is %s. Look at how it is imported and exported%s",
  137: "<%s> cannot have content",
  152: "It returns nothing; write `return null` to show nothing",
  284: "A ref must be a function, an object of useRef, or null",
  301: "It sets its state each time it is rendered, without end",
  306: "What lazy() loads is not a component: it is %s. %s",
  310: "It calls more hooks than the last time: hooks may not depend on a condition",
  321: "A hook is called outside of a component, or there is a second copy of React",
  426: "It waits for something (async, use, lazy). A build waits for nothing: load it in an effect, or import it",
  438: "use() was given %s, which it cannot take",
  482: "It is an async function. Load what it waits for in an effect, or import it",
};

/** Put the text in the place of React's number. */
export function readReactError(message: string): string {
  const number = /^Minified React error #(\d+);/.exec(message)?.[1];
  if (number === undefined) return message;
  const args = [...message.matchAll(/[?&]args\[\]=([^&\s]*)/g)].map(([, value = ""]) => decodeURIComponent(value));
  const text = TEXTS[number];
  if (text === undefined)
    return `React error ${number}${args.length > 0 ? ` (${args.join(", ")})` : ""}, see https://react.dev/errors/${number}`;
  let index = 0;
  return text.replace(/%s/g, () => args[index++] ?? "").trim();
}
