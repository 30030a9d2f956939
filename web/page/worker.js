// Runs kane on clips in a worker. The first message is the program. Each later one is a request, answered once after
// progress messages: {files: [[name, bytes] ...], runs: [{name, options} ...], want, id, path}. want is "page", "verdict"
// or a format of kane export, made from the last run; "page" also returns the SQL that inserts the clip into an index under
// this id and path.
import { Kane, KaneError } from "kane-wasm";
import { fbxScenes } from "./fbx.js";
import { deflate } from "./packed.js";

let kane;

// The data of a viewer page, without base64 (formats/report/report_page.h).
function packPage({ json, low, high }) {
  const bytes = new Uint8Array(4 + json.length + low.length + high.length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  bytes.set(low, 4 + json.length);
  bytes.set(high, 4 + json.length + low.length);
  return deflate(bytes);
}

// The summary of a clip for the list: duration, mass, frame rate, verdict, joint with the largest torque and its peak.
function summaryOf(head) {
  const ranked = head.joints.filter(({ residual, helper, peak_nm_kg }) => !residual && !helper && peak_nm_kg > 0);
  const hardest = ranked.reduce((best, joint) => (joint.peak_nm_kg > (best?.peak_nm_kg ?? 0) ? joint : best), null);
  return { seconds: head.frames * head.frame_time, rate: 1 / head.frame_time, verdict: head.verdict, mass: head.mass, joint: hardest && (hardest.role || hardest.name), peak: hardest?.peak_nm_kg };
}

async function answer({ runs, want, id, path }, progress) {
  const clips = [];
  try {
    for (const { name, options } of runs) clips.push(kane.run(name, options, (stage) => progress(name, stage)));
    const last = clips.at(-1), lines = clips.flatMap((clip) => clip.lines);
    if (want === "verdict") return { lines, verdict: last.verdict() };
    if (want !== "page") return { lines, bytes: last.export(want) };
    const page = clips[0].page(clips[1]), head = JSON.parse(new TextDecoder().decode(page.json));
    return { lines, attributes: last.json("describe").attributes, summary: summaryOf(head.clips.at(-1)),
             rows: last.rows(id, path), data: await packPage(page) };
  } finally {
    clips.forEach((clip) => clip.close());
  }
}

// The failure row as kane batch stores it: without the names of program and file.
function failureOf(name, stage, message) {
  const start = `run: ${name}:`, text = message.startsWith(start) ? message.slice(start.length) : message.replace(/^run: /, "");
  return kane.failure(name, stage, text.trimStart());
}

// The scenes of FBX files, to be stored beside them; a file that three.js cannot read gets none, and kane reports that.
function scenesOf([name, bytes]) {
  try {
    return /\.fbx$/i.test(name) ? [[`${name}.scenes`, fbxScenes(bytes)]] : [];
  } catch {
    return [];
  }
}

async function work(request) {
  let stage = "import";
  const files = request.files.concat(request.files.flatMap(scenesOf));
  files.forEach(([name, bytes]) => kane.put(name, bytes));
  try {
    return await answer(request, (name, next) => postMessage({ progress: (stage = next), name }));
  } catch (error) {
    if (error instanceof KaneError)
      return { lines: error.lines, error: error.message, rows: failureOf(request.runs[0].name, stage, error.message) };
    return { lines: [], error: String(error), isBroken: true };
  } finally {
    files.forEach(([name]) => kane.remove(name));
  }
}

addEventListener("message", async ({ data }) => {
  if (data.program) {
    kane = await Kane.create({ wasm: data.program });
    postMessage({ isReady: true, schema: kane.schema(), presets: kane.presets() });
  } else postMessage(await work(data));
});
