/** Do something when the browser has nothing better to do, after 2 s at the latest. The answer calls it off. */
export function whenIdle(task: () => void): () => void {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(task, 200);
    return () => {
      clearTimeout(timer);
    };
  }
  const handle = requestIdleCallback(task, { timeout: 2000 });
  return () => {
    cancelIdleCallback(handle);
  };
}
