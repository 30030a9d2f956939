// kane in WebAssembly: computes joint torques from a motion file. For browsers, workers and Node; types are in
// kane.d.ts.
import createModule from "./kane_module.js";

const encoder = new TextEncoder();
const VIEWS = { float64: Float64Array, int32: Int32Array, uint8: Uint8Array, uint32: Uint32Array };

async function readProgram() {
  const url = new URL("./kane.wasm", import.meta.url);
  if (url.protocol !== "file:") return new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

// An error in a file or an option. lines: what `kane run` prints, with run: for kane run:, the error last; code: its exit code.
export class KaneError extends Error {
  constructor(lines, code) {
    super(lines.at(-1) ?? "run failed");
    Object.assign(this, { name: "KaneError", lines, code });
  }
}

// One instance of the program. It processes one clip at a time; use several instances, in workers, for parallel work.
export class Kane {
  // wasm: bytes of kane.wasm, by default read from beside this file. env: environment variables.
  static async create({ wasm, env = {} } = {}) {
    const kane = new Kane();
    kane.lines = [];
    const say = (line) => kane.lines.push(line.replace(/^kane run: /, "run: ")); // as the function is called here
    kane.module = await createModule({ wasmBinary: wasm ?? (await readProgram()), print: say, printErr: say,
                                        preRun: [(module) => Object.assign(module.ENV, env)] });
    return kane;
  }

  call(name, result, types, ...values) {
    return this.module.ccall(`kane_web_${name}`, result, types, values);
  }

  // Converts a string returned by the program.
  owned(name, ...values) {
    const at = this.call(name, "number", values.map(() => "string"), ...values), text = this.module.UTF8ToString(at);
    this.module._free(at);
    return text;
  }

  // SQL that creates the tables of an index in a SQLite database, and presets for it: [{name, help, sql} ...].
  schema() {
    return this.owned("schema");
  }

  presets() {
    return JSON.parse(this.owned("presets"));
  }

  // SQL that inserts a failed file into an index.
  failure(path, stage, message) {
    return this.owned("failure", path, stage, message);
  }

  // Stores a file for kane under a name: "walk.bvh", "mocap/walk.bvh".
  put(name, bytes) {
    const { FS } = this.module, folder = name.slice(0, name.lastIndexOf("/") + 1);
    if (folder) FS.mkdirTree(folder);
    FS.writeFile(name, typeof bytes === "string" ? encoder.encode(bytes) : bytes);
  }

  remove(name) {
    this.module.FS.unlink(name);
  }

  // Runs a file through the stages. progress is called with the name of each stage before it starts.
  run(name, options = {}, progress = () => {}) {
    this.lines.length = 0;
    progress("import");
    const handle = this.call("open", "number", ["string", "string"], name, lineOptions(options));
    const clip = new Clip(this, handle);
    for (let stage; (stage = this.call("stage", "string", ["number"], handle)); ) {
      progress(stage);
      this.call("step", null, ["number"], handle);
    }
    clip.lines = this.lines.slice();
    const code = this.call("code", "number", ["number"], handle);
    if (!code) return clip;
    clip.close();
    throw new KaneError(clip.lines, code);
  }
}

// {"body-mass": 62, "contact-external": true} as lines; undefined, null and false are omitted.
const lineOptions = (options) => Object.entries(options).filter(([, value]) => value != null && value !== false)
  .map(([name, value]) => (value === true ? name : `${name}=${value}`)).join("\n");

export class Clip {
  constructor(kane, handle) {
    Object.assign(this, { kane, handle });
  }

  text(name, ...more) {
    const types = more.map((value) => (typeof value === "string" ? "string" : "number"));
    const at = this.kane.call(name, "number", ["number", ...types], this.handle, ...more);
    if (!at) throw new KaneError(this.kane.lines.splice(0), this.kane.call("code", "number", ["number"], this.handle));
    return this.bytes(at, this.kane.call("size", "number", ["number"], this.handle));
  }

  bytes(at, count) {
    return this.kane.module.HEAPU8.slice(at, at + count);
  }

  json(name) {
    return JSON.parse(new TextDecoder().decode(this.text(name)));
  }

  // {version, attributes, arrays}: arrays by their path in a clip file, each {values, dims, shape, units, about}. Paths of
  // earlier versions, such as /anatomy/angle, are answered and not listed.
  contents() {
    const { version, attributes, datasets } = this.json("describe"), arrays = {};
    for (const { path, old_paths, type, units, about, dims, shape, at, text } of datasets) {
      arrays[path] = { values: text ?? this.array(type, at, shape), dims, shape, units, about };
      for (const old of old_paths) Object.defineProperty(arrays, old, { value: arrays[path] });
    }
    return { version, attributes, arrays };
  }

  array(type, at, shape) {
    const count = shape.reduce((all, size) => all * size, 1), View = VIEWS[type];
    return new View(this.bytes(at, count * View.BYTES_PER_ELEMENT).buffer);
  }

  // The clip as a clip file ("h5"), or in a format of kane export: "csv", "tsv", "jsonl", "npz", "bvh", "mot", "sto",
  // "glb".
  export(format) {
    return this.text("export", format);
  }

  // SQL that inserts the clip into an index, under an id and a path that the index does not have.
  rows(id, path) {
    return new TextDecoder().decode(this.text("rows", id, path));
  }

  // Whether a person can do it: {word, why, joint, name, frame, t, factor, band}.
  verdict() {
    return this.json("verdict");
  }

  // Data of the viewer for this clip, and optionally another beside it: {json, low, high}
  // (formats/report/report_page.h).
  page(other) {
    const json = this.text("page", other?.handle ?? 0), count = this.kane.call("series_count", "number", ["number"], this.handle);
    const series = (high) => this.bytes(this.kane.call("series", "number", ["number", "number"], this.handle, high), count);
    return { json, low: series(0), high: series(1) };
  }

  close() {
    if (this.handle) this.kane.call("close", null, ["number"], this.handle);
    this.handle = 0;
  }
}

let shared;

// Runs one file: bytes or text of a BVH file; name is used in messages. Returns {lines, version, attributes, arrays}.
export async function run(bytes, { name = "clip.bvh", ...options } = {}) {
  shared ??= Kane.create();
  const kane = await shared;
  kane.put(name, bytes);
  try {
    const clip = kane.run(name, options), result = { lines: clip.lines, ...clip.contents() };
    clip.close();
    return result;
  } finally {
    kane.remove(name);
  }
}
