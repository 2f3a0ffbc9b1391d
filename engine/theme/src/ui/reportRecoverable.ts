/** React mended a difference between server and client; it is a bug of ours and must be seen. */
export function reportRecoverable(error: unknown): void {
  console.error(error);
}
