// The viewer of `utfhdl trace` as a part of a page.

import { viewer } from "./trace/viewer.js";

const body = fetch(new URL("trace/body.html", import.meta.url)).then(answer => answer.text());

/** Puts a viewer into `host`, in a shadow root of its own, and gives it once its style is there. */
export async function picture(host, hooks) {
  const root = host.attachShadow({ mode: "open" });
  const links = ["page.css", "trace/style.css"].map(name => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(name, import.meta.url);
    return link;
  });
  const loaded = links.map(link => new Promise((resolve, reject) => [link.onload, link.onerror] = [resolve, reject]));
  const elements = document.createRange().createContextualFragment(await body);
  root.append(...links, elements);
  await Promise.all(loaded);
  return viewer(root, hooks);
}
