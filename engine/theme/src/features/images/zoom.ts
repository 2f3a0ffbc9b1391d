import { loadAnew } from "../navigation/loadDocument";
import { word } from "../../ui/words";

/** Part of its own width below which an image is worth a closer look. */
const REDUCED = 1 / 1.5;

/** Let images that are much larger than their column be opened in full size. One without a text is decoration. */
export function addZoom(article: HTMLElement): void {
  for (const image of article.querySelectorAll<HTMLImageElement>("img[alt]:not([alt=''], a img, button img)")) {
    const check = (): void => {
      if (!isReduced(image)) return;
      observer.disconnect();
      image.removeEventListener("load", check);
      makeZoomable(image);
    };
    // Called at once, when its tab is chosen, and when the window becomes narrow.
    const observer = new ResizeObserver(check);
    observer.observe(image);
    image.addEventListener("load", check);
  }
}

function isReduced(image: HTMLImageElement): boolean {
  // Of several forms the browser tells the width in the layout instead of that of the file.
  const width = image.srcset === "" ? image.naturalWidth : Number(image.getAttribute("width"));
  return image.clientWidth > 0 && image.clientWidth < width * REDUCED;
}

function makeZoomable(image: HTMLImageElement): void {
  image.classList.add("zoomable");
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-label", word("image.enlarge", { name: image.alt }));
  // The dialog and its styles are loaded with the first use: most pictures are never opened.
  const open = (): void => {
    import("./openZoom").then(({ openZoom }) => {
      openZoom(image);
    }, loadAnew);
  };
  image.addEventListener("click", open);
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
}
