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

/** Gives a picture as it is: nothing is drawn anew in other sizes. */
export function getImage({ src, ...options }: Props): any {
  const address = typeof src === "object" ? src.src : (src ?? "");
  const given = typeof src === "object" ? src : {};
  return { ...given, src: address, options, attributes: {}, srcSet: { values: [], attribute: "" } };
}
