import { useEffect, useState } from "react";

export default function useIsBrowser(): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return isThere;
}
