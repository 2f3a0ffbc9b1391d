import { useColorMode } from "octavo";
import type { ImgHTMLAttributes } from "react";

interface Props extends ImgHTMLAttributes<HTMLImageElement> {
  sources: { light: string; dark: string };
}

export default function ThemedImage({ sources, alt = "", ...rest }: Props) {
  return <img {...rest} src={sources[useColorMode()]} alt={alt} />;
}
