/** The level-1 heading of a page whose article has none. */
export function Title({ text }: { text: string }) {
  return (
    <header>
      <h1>{text}</h1>
    </header>
  );
}
