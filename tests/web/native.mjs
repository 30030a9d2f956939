// Compares kane.wasm with the program on clips: the same exit codes and messages, torques within a fraction of the
// clip's peak, the same bits from both vector widths, and speed.
// usage: node native.mjs KANE WEB FILE.bvh...
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { readNpz } from "./npz.mjs";

const MAX_ERROR = 1e-9; // relative to the largest torque of the clip
const MIN_SPEED = 1 / 3, SPEED_RUNS = 5, NATIVE_RUNS = 10; // of the program's scalar twin
const MAX_MEMORY = 512 * 2 ** 20; // bytes
const [program, web, ...files] = process.argv.slice(2);
const { Kane, KaneError } = await import(pathToFileURL(join(web, "kane.js")));
const work = mkdtempSync(join(tmpdir(), "kane-web-"));

function runNative(file) {
  const { stderr, status } = spawnSync(program, ["run", file, "--force", "-o", join(work, "clip.h5")], { encoding: "utf8" });
  const lines = stderr.split("\n").filter((line) => line && !/^kane run: wrote /.test(line)).map((line) => line.replace(/^kane run: /, "run: "));
  if (status) return { lines, code: status };
  execFileSync(program, ["export", "--format", "npz", join(work, "clip.h5"), "-o", join(work, "clip.npz"), "--force", "-q"]);
  return { lines, code: 0, arrays: readNpz(readFileSync(join(work, "clip.npz"))) };
}

function runWeb(kane, file) {
  kane.put(file, readFileSync(file));
  try {
    const clip = kane.run(file), { lines } = clip, { arrays } = clip.contents();
    clip.close();
    return { lines, code: 0, arrays };
  } catch (error) {
    if (!(error instanceof KaneError)) throw error;
    return { lines: error.lines, code: error.code };
  } finally {
    kane.remove(file);
  }
}

// The largest difference relative to the largest value.
function difference(a, b) {
  let max = 0, peak = 0;
  if (a.length !== b.length) return Infinity;
  a.forEach((value, i) => {
    peak = Math.max(peak, Math.abs(value));
    if (!(Number.isNaN(value) && Number.isNaN(b[i]))) max = Math.max(max, Math.abs(value - b[i]));
  });
  return peak > 0 ? max / peak : max;
}

function compare(file, native, ours) {
  const wrong = [];
  if (native.code !== ours.code) wrong.push(`exit code ${ours.code}, the program's ${native.code}`);
  if (native.lines.join("\n") !== ours.lines.join("\n"))
    wrong.push(`prints\n${ours.lines.join("\n")}\nthe program\n${native.lines.join("\n")}`);
  const torque = native.arrays?.torque, own = ours.arrays?.["/dynamics/torque"];
  const error = torque && own ? difference(torque.values, own.values) : 0;
  if (Boolean(torque) !== Boolean(own) || !(error <= MAX_ERROR)) wrong.push(`torques differ by ${error} of the peak`);
  console.log(`${basename(file)}: ${wrong.length ? "FAILED" : "ok"}, ${error.toExponential(1)} of the peak`);
  wrong.forEach((text) => console.log(`  ${text}`));
  return { failed: wrong.length > 0, error };
}

// The scalar version must give the same bits as two lanes; KANE_LANES selects it, as in the program.
async function compareTwins(file) {
  const results = [];
  for (const env of [{}, { KANE_LANES: "1" }]) results.push(runWeb(await Kane.create({ env }), file).arrays);
  const [wide, scalar] = results.map((arrays) => JSON.stringify(arrays, (_, value) =>
    value instanceof Float64Array ? Buffer.from(value.buffer).toString("base64") : value));
  console.log(`${basename(file)}: ${wide === scalar ? "the same bits from both twins" : "FAILED: the twins differ"}`);
  return wide === scalar;
}

// CPU time of the program's scalar version, s: of NATIVE_RUNS, since the shell counts in hundredths.
function secondsOfNative(file) {
  const script = `for i in $(seq ${NATIVE_RUNS}); do "$0" "$@"; done; times`;
  const { stdout } = spawnSync("sh", ["-c", script, program, "run", "-q", "--force", file, "-o", join(work, "clip.h5")],
                               { encoding: "utf8", env: { ...process.env, KANE_LANES: "1" } });
  const [, children] = stdout.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((all, [, minutes, seconds]) => all + 60 * minutes + Number(seconds), 0) / NATIVE_RUNS;
}

function secondsOfWeb(kane, file) {
  const before = process.cpuUsage();
  runWeb(kane, file);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

// Speed of kane.wasm relative to the program's scalar version, each the best of several runs.
async function measureSpeed(file) {
  const kane = await Kane.create();
  let own = Infinity, native = Infinity;
  for (let i = 0; i < SPEED_RUNS; i++) {
    native = Math.min(native, secondsOfNative(file));
    own = Math.min(own, secondsOfWeb(kane, file));
  }
  console.log(`speed: ${basename(file)}: ${own.toFixed(2)} s, the program's scalar twin ${native.toFixed(2)} s: ${(native / own).toFixed(2)} of its speed`);
  return native / own;
}

let failed = 0, max = 0, memory = 0;
for (const file of files) {
  const kane = await Kane.create(); // its own memory
  const { error, ...result } = compare(file, runNative(file), runWeb(kane, file));
  failed += result.failed;
  max = Math.max(max, error);
  memory = Math.max(memory, kane.module.HEAPU8.length);
}
failed += !(await compareTwins(files[0]));
failed += (await measureSpeed(files[0])) < MIN_SPEED;
rmSync(work, { recursive: true });
if (memory > MAX_MEMORY) console.log(`FAILED: ${memory} bytes of memory`);
console.log(`web: ${files.length} files, ${failed} differ, torques within ${max.toExponential(1)} of the peak, ` +
            `${(memory / 2 ** 20).toFixed(0)} MB at most`);
process.exit(failed > 0 || memory > MAX_MEMORY ? 1 : 0);
