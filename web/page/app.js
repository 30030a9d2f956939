// Page of kane in WebAssembly: processes dropped files and shows the torques. Workers of this page do all computation;
// no data leave the browser.
import { el, figure, nameParts, words } from "../report/dom.js";
import { decisionForm } from "./decisions.js";
import { chosen, dropped, save } from "./files.js";
import { Library } from "./library.js";
import { toBase64, unpack, unpackText } from "./packed.js";
import { Pool } from "./pool.js";
import { Speed } from "./speed.js";

const MAX_WORKERS = 4;
const AHEAD = 1500; // ms from a clip to the frame for the next
const MARK = "@KANE-DATA@"; // as in formats/report/report_page.h
const FORMATS = { h5: "Clip file, HDF5 (.h5)", csv: "Table of all joints (.csv)",
                  bvh: "Motion as analysed (.bvh)", glb: "Body with torques (.glb)", npz: "All arrays (.npz)" };

const embedded = (id) => document.getElementById(id).textContent;

class App {
  constructor(root, { pool, viewer, samples, library }) {
    Object.assign(this, { root, pool, viewer, samples, clips: [], shown: null, ids: 0 });
    this.library = new Library({ ...library, about: pool.about, show: (path, time, role) => this.showMoment(path, time, role) });
    this.input = el("input", { type: "file", multiple: true, hidden: true, id: "files" });
    this.folder = el("input", { type: "file", webkitdirectory: true, hidden: true, id: "folder" });
    this.character = el("input", { type: "file", accept: ".bvh,.glb,.gltf,.vrm,.vrma,.fbx", hidden: true, id: "character" });
    for (const input of [this.input, this.folder])
      input.onchange = async () => {
        this.add(await chosen(input));
        input.value = "";
      };
    this.character.onchange = async () => this.retarget((await chosen(this.character))[0]);
    this.list = el("ol", { className: "clips", "aria-label": "Clips" });
    this.side = el("div", { className: "side" });
    this.view = el("div", { className: "view" });
    this.prepareFrame();
    this.status = el("p", { className: "status", role: "status" });
    root.replaceChildren(this.header(), this.list, this.side, this.view, this.input, this.folder, this.character);
    this.listenToDrops();
    this.show(null);
  }

  header() {
    const button = (textContent, title, onclick) => el("button", { type: "button", className: "text", textContent, title, onclick });
    this.libraryButton = button("Library", "All clips as a table, with presets and SQL", () => this.showLibrary());
    return el("header", {}, el("h1", {}, el("button", { type: "button", textContent: "kane", title: "All that this page does", onclick: () => this.show(null) })),
              this.status, this.libraryButton, button("Files…", "Open BVH, glTF, VRMA or FBX files", () => this.input.click()),
              button("Folder…", "Open all motion files of a folder", () => this.folder.click()));
  }

  listenToDrops() {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
    addEventListener("drop", async (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.add(await dropped(event.dataTransfer));
    });
  }

  // --- clips ---

  add(files) {
    if (!files.length) return this.say("No motion file there.");
    const added = files.map(({ name, bytes }) => ({ name, bytes, options: {}, speed: 1, stage: "waiting" }));
    const names = new Set(added.map(({ name }) => name));
    this.clips = [...this.clips.filter(({ name }) => !names.has(name)), ...added].sort((a, b) => a.name.localeCompare(b.name));
    added.forEach((clip) => this.run(clip));
    this.show(added[0]);
  }

  // speed: of the clip in time.
  request(clip, want, speed = clip.speed) {
    const options = speed === 1 ? clip.options : { ...clip.options, "import-fps": clip.rate * speed };
    const files = [[clip.name, clip.bytes]], runs = [{ name: clip.name, options }];
    if (clip.character) {
      const target = `to/${clip.character.name}`;
      files.push([target, clip.character.bytes]);
      runs.push({ name: clip.name, options: { ...options, "retarget-to": target } });
    }
    return { files, runs, want, id: ++this.ids, path: `${clip.name}.h5` };
  }

  async run(clip) {
    const version = (clip.version = (clip.version ?? 0) + 1), isNow = () => clip.version === version;
    Object.assign(clip, { stage: "waiting", error: undefined, isStale: true });
    const progress = (name, stage) => {
      if (!isNow()) return;
      clip.stage = stage;
      this.showList();
    };
    this.showList();
    const answer = await this.pool.run(this.request(clip, "page"), { progress, isFirst: clip === this.shown });
    if (!isNow()) return;
    Object.assign(clip, { attributes: undefined, summary: undefined, data: undefined, error: undefined, rows: undefined, ...answer,
                          stage: answer.error ? "failed" : "done", isStale: false });
    clip.rate = clip.summary ? clip.summary.rate / clip.speed : clip.rate;
    this.showList();
    this.library.put(clip.name, clip.rows).then(() => this.library.element.isConnected && this.library.ask());
    delete clip.rows;
    if (clip === this.shown) this.showClip();
  }

  set(clip, option, value) {
    if (value === "") delete clip.options[option];
    else clip.options[option] = value;
    this.run(clip);
  }

  // Applies the options of one clip to all clips.
  setAll({ options }) {
    for (const clip of this.clips) {
      clip.options = { ...options };
      this.run(clip);
    }
  }

  retarget(character) {
    this.character.value = "";
    this.shown.character = character;
    this.run(this.shown);
  }

  async download(clip, format) {
    const stem = clip.name.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    if (format === "html") return save(`${stem}.html`, this.page(clip), "text/html");
    this.say(`Making ${stem}.${format} …`);
    const { bytes, error } = await this.pool.run(this.request(clip, format), { isFirst: true });
    this.say(error ?? "");
    if (bytes) save(`${stem}.${format}`, bytes);
  }

  // --- view ---

  say(text) {
    this.status.textContent = text;
  }

  page(clip) {
    return this.viewer.replace(MARK, () => toBase64(clip.data));
  }

  // Loads the viewer ahead of its clip, so that the clip appears sooner. A frame that moves loads again: it stays here.
  prepareFrame() {
    if (this.frame) return;
    this.frame = el("iframe", { hidden: true, srcdoc: this.viewer });
    this.frame.loaded = new Promise((resolve) => (this.frame.onload = resolve));
    this.view.append(this.frame);
  }

  // Fills the view, and keeps the prepared frame.
  fill(...children) {
    for (const child of [...this.view.children]) if (child !== this.frame) child.remove();
    this.view.prepend(...children);
  }

  // address: initial state of the viewer, as in the # fragment of a report page.
  async showFrame(clip, address = "") {
    this.prepareFrame();
    const { frame } = this;
    Object.assign(frame, { hidden: false, title: `${clip.name}: motion and torques` });
    this.fill();
    this.frame = null;
    setTimeout(() => this.prepareFrame(), AHEAD);
    await frame.loaded;
    frame.contentWindow?.postMessage({ packed: clip.data, address }, "*");
    frame.contentWindow?.focus();
  }

  showLibrary() {
    this.shown = null;
    document.title = "Library – kane";
    this.root.className = "with-library";
    this.side.replaceChildren();
    this.fill(this.library.element);
    this.showList();
    this.library.ask();
  }

  // path: in the index.
  showMoment(path, time, role) {
    const clip = this.clips.find(({ name }) => path === `${name}.h5` || path === name);
    const address = new URLSearchParams({ ...(time === undefined ? {} : { t: time }), ...(role ? { joint: role } : {}) });
    if (clip) this.show(clip, String(address));
  }

  show(clip, address = "") {
    this.shown = clip;
    document.title = clip ? `${clip.name} – kane` : "kane: joint torques from BVH files";
    this.root.className = clip ? "with-clip" : "empty";
    this.showList();
    if (clip) this.showClip(address);
    else this.showStart();
  }

  showStart() {
    const sample = ([name, bytes]) => el("button", { type: "button", className: "text", textContent: name.replace(/\.bvh$/, ""),
      onclick: () => this.add([{ name, bytes }]) });
    this.side.replaceChildren();
    this.fill(el("main", { className: "start" },
      el("h2", { textContent: "Drop a BVH, glTF, VRMA or FBX file, or a folder of them" }),
      el("p", { textContent: "kane detects unit, up axis and frame rate, fits a body, estimates the ground forces and computes the torque of every joint by inverse dynamics." }),
      el("p", { className: "choices" }, el("button", { type: "button", className: "primary", textContent: "Open files", onclick: () => this.input.click() }),
         el("button", { type: "button", className: "text", textContent: "Open a folder", onclick: () => this.folder.click() })),
      el("p", { className: "choices" }, el("span", { textContent: "or a sample:" }), ...this.samples.map(sample)),
      el("p", { className: "note", textContent: "Your files stay on this machine: the page computes by itself, and its policy forbids connections. Torques agree with the program to 1e-9 of the peak (the elementary functions are those of WebAssembly’s C library)." }),
      el("p", { className: "note", textContent: "Only the program for Linux simulates scenes, tracks motions, reads force plates’ folders and clip files, resumes batches and draws plots with gnuplot." })));
  }

  showList() {
    this.list.hidden = this.clips.length < 2;
    this.libraryButton.hidden = !this.clips.length;
    const done = this.clips.filter(({ stage }) => stage === "done" || stage === "failed").length;
    if (this.clips.length) this.say(done < this.clips.length ? `${done} of ${this.clips.length} done` : "");
    this.list.replaceChildren(...this.clips.map((clip) => this.item(clip)));
    this.view.classList.toggle("stale", Boolean(this.shown?.isStale && this.shown.data));
    const stage = this.view.querySelector(".stage-name");
    if (stage && this.shown) stage.textContent = stageText(this.shown);
  }

  item(clip) {
    const { peak, joint } = clip.summary ?? {};
    const word = ["hard", "impossible"].includes(clip.summary?.verdict?.word) ? `${clip.summary.verdict.word}, ` : "";
    const note = clip.stage === "done" ? word + (peak ? `${figure(peak)} N m/kg ${words(joint)}` : "no torque") : clip.stage;
    return el("li", {}, el("button", { type: "button", className: clip.stage, "aria-current": String(clip === this.shown), onclick: () => this.show(clip) },
              el("b", { className: "name", title: clip.name }, ...nameParts(clip.name)), el("small", { textContent: note })));
  }

  showClip(address) {
    const clip = this.shown;
    this.showSide(clip);
    if (clip.data) this.showFrame(clip, address);
    else if (clip.error)
      this.fill(el("main", { className: "failed", role: "alert" }, el("h2", { textContent: `${clip.name} cannot be analysed` }),
                                   el("pre", { textContent: plain(clip.error) })));
    else this.fill(el("main", { className: "working" }, el("div", { className: "bar" }), el("p", { className: "stage-name", textContent: stageText(clip) })));
  }

  showSide(clip) {
    const formats = el("select", { "aria-label": "Download", id: "download" }, el("option", { value: "", textContent: "Download…" }),
      ...Object.entries({ ...FORMATS, html: "This page of the clip (.html)" }).map(([value, textContent]) => el("option", { value, textContent })));
    formats.onchange = () => {
      this.download(clip, formats.value);
      formats.value = "";
    };
    const button = (textContent, title, onclick) => el("button", { type: "button", className: "text", textContent, title, onclick });
    const retarget = clip.character
      ? button("Undo retargeting", `Show the clip without ${clip.character.name}`, () => this.retarget(undefined))
      : button("Retarget…", "Choose a BVH, glTF, VRM or FBX file with the skeleton of another character", () => this.character.click());
    const lines = clip.lines ?? [], warnings = lines.filter((line) => /: warning: /.test(line)).length;
    const messages = el("details", { className: "messages" },
      el("summary", { textContent: warnings ? `${warnings} warning${warnings > 1 ? "s" : ""}` : "Messages" }),
      el("pre", { textContent: lines.map(plain).join("\n") }));
    messages.hidden = !lines.length || Boolean(clip.error);
    const all = button("For all clips", "Use these settings for all clips", () => this.setAll(clip));
    all.hidden = this.clips.length < 2;
    this.side.replaceChildren(decisionForm(clip, (option, value) => this.set(clip, option, value)), this.speed(clip),
                              el("div", { className: "actions" }, all, clip.data ? retarget : null, clip.data ? formats : null, messages));
  }

  // The speed of a clip: its verdict while the slider moves, the clip at that speed when it rests.
  speed(clip) {
    const ask = (speed) => this.pool.run(this.request(clip, "verdict", speed), { isFirst: true });
    const settle = (speed) => {
      clip.speed = speed;
      this.run(clip);
    };
    return clip.rate ? new Speed(clip.speed, clip.summary?.verdict, ask, settle).element : null;
  }
}

// Lines that kane prints, without the program name.
const plain = (line) => line.replace(/^run: /, "");

const stageText = ({ stage }) => (stage === "waiting" ? "Waiting …" : `Stage: ${stage} …`);

async function begin() {
  const [program, script, viewer] = await Promise.all([unpack(embedded("program")), unpackText(embedded("worker")), unpackText(embedded("report"))]);
  const samples = await Promise.all(embedded("samples").split("\n").filter(Boolean).map(async (line) => {
    const [name, text] = line.split(" ");
    return [name, await unpack(text)];
  }));
  const pool = new Pool(script, program, Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 2));
  const library = { script: await unpackText(embedded("database")), program: await unpack(embedded("sqlite")) };
  new App(document.getElementById("app"), { pool, viewer, samples, library });
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
  console.error(error);
  document.getElementById("app").replaceChildren(el("p", { className: "failure", role: "alert",
    textContent: `This page cannot begin: ${error.message}. It needs a browser of 2023 or later.` }));
});
