import { Image } from "./astro-assets";

export default function PageImage({ priority, placeholder, blurDataURL, loader, unoptimized, img, fill, ...rest }: Record<string, unknown>) {
  return <Image {...rest} src={(rest.src ?? img) as string} />;
}
