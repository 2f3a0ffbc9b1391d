import type { AnchorHTMLAttributes } from "react";
import { addBase } from "./use-base-url";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to?: string;
  autoAddBaseUrl?: boolean;
}

export default function Link({ to, href, autoAddBaseUrl, ...rest }: Props) {
  const address = to ?? href ?? "";
  return <a {...rest} href={address.startsWith("/") && autoAddBaseUrl !== false ? addBase(address) : address} />;
}
