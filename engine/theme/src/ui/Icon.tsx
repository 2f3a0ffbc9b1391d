import { BRAND_PICTURES, type BrandName, PICTURES, type PictureName } from "./pictures";

/** A picture in the text's colour, without meaning of its own. */
export function Icon({ name }: { name: PictureName }) {
  return <Picture className={`icon icon-${name}`} path={PICTURES[name]} />;
}

/** The mark of another company. */
export function BrandIcon({ name }: { name: BrandName }) {
  return <Picture className="icon icon-brand" path={BRAND_PICTURES[name]} />;
}

export function Picture({ className, path }: { className: string; path: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** An icon that the build has drawn, beside the label that follows it; nothing where there is none. */
export function ItemIcon({ svg }: { svg: string | null | undefined }) {
  return !svg ? null : <span className="item-icon" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** A short text behind a label, such as "New"; nothing where there is none. */
export function ItemBadge({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <>
      {" "}
      <span className="badge">{text}</span>
    </>
  );
}

/** Narrow an icon's name as configured; unknown ones are not drawn. */
export function isBrandIcon(name: string | null): name is BrandName {
  return name !== null && Object.hasOwn(BRAND_PICTURES, name);
}
