/** A component that Next.js loads in the browser only. */
export default function dynamic(): never {
  throw new Error("it is loaded in the browser only");
}
