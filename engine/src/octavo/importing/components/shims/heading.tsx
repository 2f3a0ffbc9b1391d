import type { ElementType, HTMLAttributes } from "react";

export default function Heading({ as: Tag = "h2", ...rest }: { as?: ElementType } & HTMLAttributes<HTMLHeadingElement>) {
  return <Tag {...rest} />;
}
