import type { LogoData } from "../payload.gen";

interface BrandProps {
  title: string;
  logo: LogoData | null;
  /** Where the brand leads when no logo says otherwise. */
  home: string;
}

/** Logo and name of the site. */
export function Brand({ title, logo, home }: BrandProps) {
  return (
    <a className="brand" href={logo?.href ?? home}>
      {logo !== null && <LogoImage logo={beside(logo, title)} size={28} isSquare={title !== ""} />}
      {title !== "" && <span>{title}</span>}
    </a>
  );
}

/** A logo beside a name that says the same: screen readers would read the name twice. */
function beside(logo: LogoData, title: string): LogoData {
  return logo.alt.trim().toLowerCase() === title.trim().toLowerCase() ? { ...logo, alt: "" } : logo;
}

interface LogoImageProps {
  logo: LogoData;
  /** Height, in px. */
  size: number;
  /** Whether it is beside a name, in a square of fixed size; otherwise it keeps its own width. */
  isSquare: boolean;
}

/** A logo; where it has a dark variant both are there and the style sheet shows one. */
export function LogoImage({ logo, size, isSquare }: LogoImageProps) {
  // Lazy, so that the variant which is not shown is not fetched.
  const width = isSquare ? size : ownWidth(logo, size);
  const common = { alt: logo.alt, height: size, width, loading: "lazy" } as const;
  if (logo.src === logo.srcDark) return <img className="logo" src={logo.src} {...common} />;
  return (
    <>
      <img className="logo themed themed-light" src={logo.src} {...common} />
      <img className="logo themed themed-dark" src={logo.srcDark} {...common} />
    </>
  );
}

/** Width of a logo that is drawn at a height, in px; unknown where its file doesn't tell its size. */
function ownWidth({ width, height }: LogoData, size: number): number | undefined {
  return width === null || height === null ? undefined : Math.round((width / height) * size);
}
