import { withBase } from "octavo";
import type { ImgHTMLAttributes } from "react";

interface Props extends Omit<ImgHTMLAttributes<HTMLImageElement>, "src"> {
  src?: string | { src: string };
  densities?: unknown;
  formats?: unknown;
  widths?: unknown;
  quality?: unknown;
  format?: unknown;
}

export function Image({ src, alt = "", densities, formats, widths, quality, format, ...rest }: Props) {
  const address = typeof src === "object" ? src.src : (src ?? "");
  return <img {...rest} src={address.startsWith("/") ? withBase(address) : address} alt={alt} />;
}

export const Picture = Image;
