import type { ReactNode } from "react";

interface ApiHeadingProps {
  /** 1 to 6. */
  level: number;
  id?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** A heading of a level that only the page knows. */
export function ApiHeading({ level, id, className, children }: ApiHeadingProps) {
  const Tag = `h${Math.min(Math.max(level, 2), 6)}` as "h2";
  return (
    <Tag id={id} className={className}>
      {children}
    </Tag>
  );
}
