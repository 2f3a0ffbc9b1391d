/** Let images that are larger than their column be looked at in full size. */
export function addZoom(article: HTMLElement): void {
  for (const image of article.querySelectorAll<HTMLImageElement>("img:not(a img, button img)")) {
    if (image.complete) markZoomable(image);
    else {
      image.addEventListener(
        "load",
        () => {
          markZoomable(image);
        },
        { once: true },
      );
    }
  }
}

/** A vector picture has no size of its own, so only what is drawn smaller than it is counts. */
function markZoomable(image: HTMLImageElement): void {
  if (image.clientWidth === 0 || image.naturalWidth <= image.clientWidth * 1.1) return;
  image.classList.add("zoomable");
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-label", `Enlarge the image: ${image.alt}`);
  image.addEventListener("click", () => {
    openZoom(image);
  });
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    openZoom(image);
  });
}

/** The native dialog brings Escape, the inert page behind, and the return of the focus. */
function openZoom(image: HTMLImageElement): void {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  dialog.setAttribute("aria-label", image.alt);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "icon-button";
  close.setAttribute("aria-label", "Close");
  const icon = document.createElement("span");
  icon.className = "icon icon-close";
  icon.setAttribute("aria-hidden", "true");
  close.append(icon);
  const picture = document.createElement("img");
  picture.src = image.currentSrc;
  picture.alt = image.alt;
  dialog.append(close, picture);
  dialog.addEventListener("click", () => {
    dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
