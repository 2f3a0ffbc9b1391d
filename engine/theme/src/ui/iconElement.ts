import { PICTURES, type PictureName } from "./pictures";

const SVG = "http://www.w3.org/2000/svg";

/** An icon for controls that are not React's. */
export function iconElement(name: PictureName): SVGSVGElement {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  icon.append(document.createElementNS(SVG, "path"));
  showPicture(icon, name);
  return icon;
}

/** Let an icon show another picture. */
export function showPicture(icon: SVGSVGElement, name: PictureName): void {
  icon.setAttribute("class", `icon icon-${name}`);
  icon.firstElementChild?.setAttribute("d", PICTURES[name]);
}
