// Starts the page that the data describe.
import { Answer } from "./answer.js";
import { readData, readPacked } from "./decode.js";
import { el } from "./dom.js";
import { Library } from "./library.js";
import { compileShaders } from "./shaders.js";
import { Viewer } from "./viewer.js";

// Resolves with the message {packed, address} of the page around this one.
const sent = () => new Promise((resolve) => addEventListener("message", ({ source, data }) => source === parent && resolve(data)));

// A page around this one sends the data of a clip with the initial state (address.js). Until then shaders compile.
async function beginSent(root) {
  const message = sent(), stage = compileShaders();
  const { packed, address } = await message;
  document.documentElement.dataset.address = address;
  new Viewer(await readPacked(packed), root, stage.canvas, stage.renderer);
}

async function begin(root) {
  const holder = document.getElementById("data"), text = holder.textContent;
  holder.remove();
  if (text.startsWith("@")) return beginSent(root);
  const data = await readData(text);
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
