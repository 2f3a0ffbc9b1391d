// Inlined into the home page only: when the base URL is wrong, neither script nor style of the site can be loaded.
import type { BootData } from "./payload.gen";

addEventListener("load", () => {
  // A token of the style sheet: it is missing exactly when the sheet is.
  if (getComputedStyle(document.documentElement).getPropertyValue("--bar") !== "") return;
  const boot = JSON.parse(document.getElementById("octavo-boot")?.textContent ?? "{}") as Partial<BootData>;
  const folder = location.pathname.replace(/[^/]*$/, "");
  const banner = document.createElement("div");
  banner.id = "octavo-base-url-banner";
  banner.setAttribute("role", "alert");
  banner.style.cssText =
    "border:thick solid red;background:#fff;color:#000;margin:20px;padding:20px;font:18px/1.5 sans-serif";
  const lines = [
    "This site did not load properly.",
    `A wrong base URL is the usual reason. Configured is base_url = "${boot.base ?? "/"}".`,
    `The address of this page suggests base_url = "${folder}".`,
  ];
  for (const text of lines) {
    const line = document.createElement("p");
    line.textContent = text;
    banner.append(line);
  }
  document.body.prepend(banner);
});
