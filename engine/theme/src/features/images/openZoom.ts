import { closeButton, openModal } from "../../ui/modal";
import "./zoom.css";

/** Show an image in its full size. */
export function openZoom(image: HTMLImageElement): void {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  dialog.setAttribute("aria-label", image.alt);
  const picture = document.createElement("img");
  picture.src = image.src;
  picture.alt = image.alt;
  dialog.append(closeButton(), picture);
  openModal(dialog, () => true);
}
