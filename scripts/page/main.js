// Starts the page that the data describe.
import { Answer } from "./answer.js";
import { readData } from "./decode.js";
import { el } from "./dom.js";
import { Library } from "./library.js";
import { Viewer } from "./viewer.js";

async function begin(root) {
  const holder = document.getElementById("data");
  const data = await readData(holder.textContent);
  holder.remove();
  if (data.head.kind === "library") new Library(data, root);
  else if (data.head.kind === "answer") new Answer(data, root);
  else new Viewer(data, root);
}

const root = document.getElementById("app");
begin(root).then(
  () => requestAnimationFrame(() => requestAnimationFrame(() => { // the first picture has been drawn
    performance.mark("ready");
    document.documentElement.dataset.ready = "yes";
  })),
  (error) => {
    console.error(error);
    root.replaceChildren(el("p", { className: "failure", role: "alert",
      textContent: `This page cannot show its data: ${error.message}. It needs a browser of 2023 or later.` }));
  });
