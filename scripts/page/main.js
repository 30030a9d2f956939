// Starts the page that the data describe.
import { Answer } from "./answer.js";
import { readData, readPacked } from "./decode.js";
import { el } from "./dom.js";
import { Library } from "./library.js";
import { Viewer } from "./viewer.js";

// Resolves with the message {packed, address} of the page around this one.
const sent = () => new Promise((resolve) => addEventListener("message", ({ source, data }) => source === parent && resolve(data)));

// Data in the page; without, a page around it sends them with the initial state (address.js).
async function dataOf(holder) {
  const text = holder.textContent;
  holder.remove();
  if (!text.startsWith("@")) return readData(text);
  const { packed, address } = await sent();
  document.documentElement.dataset.address = address;
  return readPacked(packed);
}

async function begin(root) {
  const data = await dataOf(document.getElementById("data"));
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
