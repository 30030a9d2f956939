// The page of kane in Chromium: it shows and saves the program's results, and makes no network requests.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readData } from "../../web/report/decode.js";
import { DESKTOP, keep, launch, open, PHONE, problems, settle } from "../page/browser.mjs";
import { readClipFile } from "./clip_file.mjs";
import { readNpz } from "./npz.mjs";

const { KANE, WORK } = process.env;
const MAX_ERROR = 1e-9; // relative to the peak
const TABLET = { width: 820, height: 1180 };
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const native = (...words) => execFileSync(KANE, words, { encoding: "buffer", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] });
const made = (name) => join(WORK, name);

// The page opens within the web folder; its only requests are for its workers' text and the embedded viewer.
async function openPage(more = {}) {
  const opened = await open(browser, "kane.html", more);
  opened.isClean = () => {
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.requests.filter((url) => !/^(blob:null\/|about:srcdoc)/.test(url)), []);
  };
  return opened;
}

// Drops files like a user: {name: text}.
async function drop({ page }, files) {
  const transfer = await page.evaluateHandle((given) => {
    const out = new DataTransfer();
    for (const [name, text] of Object.entries(given)) out.items.add(new File([text], name));
    return out;
  }, files);
  for (const type of ["dragover", "drop"]) await page.dispatchEvent("body", type, { dataTransfer: transfer });
}

const textOf = (path) => readFileSync(path, "latin1");

async function viewer({ page }) {
  const frame = await (await page.waitForSelector("iframe:not([hidden])", { timeout: 60000 })).contentFrame();
  await frame.waitForSelector("html[data-ready]", { timeout: 60000 });
  return frame;
}

async function download({ page }, format) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), page.selectOption("#download", format)]);
  return readFileSync(await file.path());
}

function assertNear(own, wanted, what) {
  assert.equal(own.length, wanted.length, what);
  const peak = wanted.reduce((max, value) => Math.max(max, Math.abs(value) || 0), 0);
  const max = wanted.reduce((worst, value, i) => (Number.isNaN(value) && Number.isNaN(own[i]) ? worst : Math.max(worst, Math.abs(value - own[i]))), 0);
  assert.ok(max <= MAX_ERROR * peak, `${what}: off by ${max / peak} of the peak`);
}

// Content of a kane report page: its head, and the curves of its clip, [{name, values, step}].
async function dataOf(html) {
  const { head, series } = await readData(/<script id="data" type="text\/plain">([^<]*)</.exec(html)[1]), [clip] = head.clips;
  const curves = clip.channels.flatMap(({ name, series: scales }) =>
    scales.map(([min, step]) => ({ name, step, values: series.next(clip.samples, min, step) })));
  return { head, curves };
}

test("a clip that is dropped: arrays and curves are those of the program", async () => {
  const opened = await openPage();
  const dropped = performance.now();
  await drop(opened, { "walk.bvh": textOf("data/walk.bvh") });
  const frame = await viewer(opened);
  console.log(`first picture: ${((performance.now() - dropped) / 1000).toFixed(2)} s after the drop`);
  assert.match(await frame.textContent("h1"), /walk/);
  native("run", "data/walk.bvh", "-o", made("walk.h5"));
  native("export", "--format", "npz", made("walk.h5"), "-o", made("walk.npz"));
  const own = readNpz(await download(opened, "npz")), wanted = readNpz(readFileSync(made("walk.npz")));
  assert.deepEqual(Object.keys(own).sort(), Object.keys(wanted).sort());
  for (const name of ["torque", "power", "position", "foot_force"]) assertNear(own[name].values, wanted[name].values, name);

  native("report", made("walk.h5"), "-o", made("walk.html"));
  const shown = await dataOf((await download(opened, "html")).toString()), page = await dataOf(readFileSync(made("walk.html"), "utf8"));
  const scales = ({ head }) => head.clips[0].channels.flatMap(({ series }) => series.flat());
  assertNear(scales(shown), scales(page), "scales of the curves");
  for (const [i, { name, values, step }] of page.curves.entries()) { // 16 bits per value: rounding may go either way
    const max = Math.max(...page.curves.filter((curve) => curve.name === name).map((curve) => Math.max(...curve.values.map((value) => Math.abs(value) || 0))));
    const off = Math.max(...values.map((value, k) => Math.abs(value - shown.curves[i].values[k]) || 0));
    assert.ok(off <= 1.01 * step + MAX_ERROR * max, `${name}: a curve is off by ${off}`);
  }
  opened.isClean();
  await opened.page.close();
});

test("a clip file that is saved: h5wasm and the program read what kane run writes", async () => {
  const opened = await openPage();
  await drop(opened, { "squat.bvh": textOf("data/squat.bvh") });
  await viewer(opened);
  writeFileSync(made("saved.h5"), await download(opened, "h5"));
  native("run", "data/squat.bvh", "-o", made("squat.h5"));
  const own = readClipFile(made("saved.h5")), wanted = readClipFile(made("squat.h5"));
  assert.deepEqual(Object.keys(own), Object.keys(wanted)); // in order
  let datasets = 0;
  for (const [path, { values, shape, attributes }] of Object.entries(wanted)) {
    assert.deepEqual(own[path].shape, shape, path);
    for (const [name, value] of Object.entries(attributes)) {
      const found = own[path].attributes[name];
      if (typeof value === "number") assertNear([found], [value], `${path}@${name}`);
      else if (value instanceof Float64Array) assertNear(found, value, `${path}@${name}`);
      else if (name !== "checksum") assert.deepEqual(found, value, `${path}@${name}`);
    }
    if (values instanceof Float64Array) assertNear(own[path].values, values, path);
    else if (values) assert.deepEqual(own[path].values, values, path);
    datasets += Boolean(values);
  }
  assert.ok(datasets > 50, `${datasets} datasets`);
  assert.equal(native("check", made("saved.h5")).toString(), native("check", made("squat.h5")).toString()); // with its checksums
  opened.isClean();
  await opened.page.close();
});

test("a table that is saved: its columns and cells are those of kane export", async () => {
  const opened = await openPage();
  await drop(opened, { "jump.bvh": textOf("data/jump.bvh") });
  await viewer(opened);
  native("run", "data/jump.bvh", "-o", made("jump.h5"));
  const rowsOf = (text) => text.trim().split("\n").map((line) => line.split(","));
  const own = rowsOf((await download(opened, "csv")).toString()), wanted = rowsOf(native("export", "--format", "csv", made("jump.h5")).toString());
  assert.deepEqual(own[0], wanted[0]);
  assert.equal(own.length, wanted.length);
  assert.ok(own.length > 5000, `${own.length} rows`);
  const columnOf = (rows, i) => rows.slice(1).map((row) => row[i]);
  const isText = (column) => column.some((cell) => cell !== "" && Number.isNaN(Number(cell)));
  const reals = {}; // over all columns of a unit: residuals alone may be rounding errors
  for (const [i, name] of wanted[0].entries()) {
    const [ours, theirs] = [own, wanted].map((rows) => columnOf(rows, i));
    if (isText(theirs)) assert.deepEqual(ours, theirs, name);
    const unit = (reals[name.split("_").at(-1)] ??= [[], []]);
    if (!isText(theirs)) [ours, theirs].forEach((column, k) => unit[k].push(column.map((cell) => (cell === "" ? NaN : Number(cell)))));
  }
  for (const [unit, [ours, theirs]] of Object.entries(reals)) assertNear(ours.flat(), theirs.flat(), unit);
  opened.isClean();
  await opened.page.close();
});

test("a glTF that is saved: its tree and numbers are those of kane export", async () => {
  const opened = await openPage();
  await drop(opened, { "squat.bvh": textOf("data/squat.bvh") });
  await viewer(opened);
  native("run", "data/squat.bvh", "--force", "-o", made("squat.h5"));
  const partsOf = (bytes) => { // glTF 2.0, 4.4: 12-byte header, chunks of length, type and content
    assert.deepEqual([bytes.toString("latin1", 0, 4), bytes.readUInt32LE(4), bytes.readUInt32LE(8)], ["glTF", 2, bytes.length]);
    const size = bytes.readUInt32LE(12), binary = bytes.subarray(20 + size + 8);
    return { json: JSON.parse(bytes.toString("utf8", 20, 20 + size)), binary };
  };
  const own = partsOf(await download(opened, "glb")), wanted = partsOf(native("export", "--format", "glb", made("squat.h5")));
  const isReal = (value) => typeof value === "number" && !Number.isInteger(value);
  const rest = ({ json }) => ({ ...json, accessors: json.accessors.map(({ min, max, ...accessor }) => accessor) }); // of float32
  const treeOf = (parts) => JSON.stringify(rest(parts), (key, value) => (isReal(value) ? 0.5 : value));
  const realsOf = (value) => (isReal(value) ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(realsOf) : []);
  assert.equal(treeOf(own), treeOf(wanted));
  assertNear(realsOf(rest(own)), realsOf(rest(wanted)), "numbers of the tree");
  assert.ok(wanted.json.animations[0].channels.length > 20);
  const values = ({ json, binary }, accessor) => {
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[accessor.type], view = json.bufferViews[accessor.bufferView];
    const at = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0), count = width * accessor.count;
    return Array.from({ length: count }, (_, i) => binary.readFloatLE(at + 4 * i));
  };
  for (const [i, accessor] of wanted.json.accessors.entries())
    if (accessor.componentType === 5126) { // float32: half a unit in the last place of the peak
      const [ours, theirs] = [own, wanted].map((part) => values(part, part.json.accessors[i]));
      const peak = theirs.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
      const off = theirs.reduce((max, value, k) => Math.max(max, Math.abs(value - ours[k])), 0);
      assert.ok(off <= 2 ** -23 * peak, `accessor ${i}: off by ${off}, peak ${peak}`);
    }
  opened.isClean();
  await opened.page.close();
});

test("a file that is broken: the message of the terminal, with line and column", async () => {
  const opened = await openPage(), broken = textOf("data/walk.bvh").replace("OFFSET", "OFFSET x");
  await drop(opened, { "broken.bvh": broken });
  await opened.page.waitForSelector(".failed pre", { timeout: 60000 });
  execFileSync("tee", [made("broken.bvh")], { input: Buffer.from(broken, "latin1"), stdio: ["pipe", "ignore", "inherit"] });
  const { stderr } = spawnSync(KANE, ["run", "broken.bvh"], { cwd: WORK, encoding: "utf8" });
  assert.match(stderr, /broken\.bvh:\d+:\d+: /);
  assert.equal(`kane run: ${await opened.page.textContent(".failed pre")}\n`, stderr);
  await keep(opened, "web-failed");
  opened.isClean();
  await opened.page.close();
});

test("a decision is shown with its confidence and can be changed", async () => {
  const opened = await openPage();
  await drop(opened, { "walk.bvh": textOf("data/walk.bvh") });
  await viewer(opened);
  const { page } = opened;
  assert.match(await page.textContent("select[name=import-unit] option"), /cm/);
  assert.equal(await page.textContent("label:has([name=import-unit]) small"), ">99 %");
  await page.selectOption("select[name=import-unit]", "inch");
  await page.waitForFunction(() => document.querySelector(".messages pre")?.textContent.includes("detected inch"), null, { timeout: 60000 })
    .catch(async () => assert.fail(await page.textContent(".messages pre")));
  native("run", "--import-unit", "inch", "data/walk.bvh", "-o", made("inch.h5"));
  native("export", "--format", "npz", made("inch.h5"), "-o", made("inch.npz"));
  assertNear(readNpz(await download(opened, "npz")).torque.values, readNpz(readFileSync(made("inch.npz"))).torque.values, "torque");
  opened.isClean();
  await page.close();
});

test("several clips: a list, each with its peak, and the page stays alive", async () => {
  const opened = await openPage(), { page } = opened;
  const names = ["walk", "jump", "squat", "pendulum"];
  await drop(opened, Object.fromEntries(names.map((name) => [`${name}.bvh`, textOf(`data/${name}.bvh`)])));
  const pauses = await page.evaluate(() => new Promise((done) => { // longest interval between two timer events
    let last = performance.now(), max = 0;
    const watch = setInterval(() => {
      max = Math.max(max, performance.now() - last);
      last = performance.now();
      if (document.querySelectorAll(".clips .done").length === 4) {
        clearInterval(watch);
        done(max);
      }
    }, 10);
  }));
  console.log(`longest pause of the page: ${pauses.toFixed(0)} ms`);
  assert.deepEqual((await page.locator(".clips b").allTextContents()), names.map((name) => `${name}.bvh`).sort());
  assert.match(await page.textContent(".clips li:nth-child(1) small"), /N m\/kg/);
  opened.isClean();
  await page.close();
});

test("another character: the moved motion is that of the program", async () => {
  const opened = await openPage(), { page } = opened;
  await drop(opened, { "jump.bvh": textOf("data/jump.bvh") });
  await viewer(opened);
  await page.setInputFiles("#character", "data/squat.bvh");
  await page.waitForFunction(() => document.querySelector(".actions button")?.parentElement.textContent.includes("Undo retargeting") &&
                                   !document.querySelector(".stale"), null, { timeout: 60000 });
  const frame = await viewer(opened);
  await frame.waitForFunction(() => document.querySelectorAll("h1 .title").length === 2, null, { timeout: 60000 });
  native("run", "--retarget-to", "data/squat.bvh", "data/jump.bvh", "-o", made("moved.h5"));
  native("export", "--format", "bvh", made("moved.h5"), "-o", made("moved.bvh"));
  const own = (await download(opened, "bvh")).toString().split(/\s+/), wanted = readFileSync(made("moved.bvh"), "utf8").split(/\s+/);
  assert.equal(own.length, wanted.length);
  const numbers = (words) => words.map(Number).filter((value) => !Number.isNaN(value));
  assertNear(numbers(own), numbers(wanted), "channels");
  await keep(opened, "web-retarget");
  opened.isClean();
  await page.close();
});

test("a folder of twenty as a library: presets, SQL, the moment of a row, index.db", async () => {
  const folder = made("lib/twenty"), index = made("native/index.db"), names = [];
  mkdirSync(folder, { recursive: true });
  mkdirSync(made("native/twenty"), { recursive: true });
  for (let i = 0; i < 20; i++) { // each at a different speed
    const name = `twenty/c${String(i).padStart(2, "0")}.bvh`, from = ["walk", "jump", "squat", "pendulum"][i % 4];
    const text = textOf(`data/${from}.bvh`).replace(/Frame Time:\s*([\d.]+)/, (_, time) => `Frame Time: ${time * (1 + i / 100)}`);
    writeFileSync(made(`lib/${name}`), text, "latin1");
    native("run", made(`lib/${name}`), "-o", made(`native/${name}.h5`));
    names.push(made(`native/${name}.h5`));
  }
  writeFileSync(made("lib/twenty/broken.bvh"), "HIERARCHY\nROOT a\n{\nOFFSET x\n");
  native("index", index, ...names);

  const opened = await openPage(), { page } = opened;
  await page.setInputFiles("#folder", folder);
  await page.waitForFunction(() => document.querySelectorAll(".clips .done").length === 20 && document.querySelector(".clips .failed"), null, { timeout: 120000 });
  await page.click("text=Library");
  const rows = (count) => page.waitForFunction((wanted) => document.querySelectorAll(".library tbody tr").length === wanted, count, { timeout: 30000 });
  await rows(21); // a failure has a row with its reason
  assert.match(await page.textContent(".library tbody tr:first-child"), /twenty\/broken\.bvh.*4:8: expected a number, found "x"/);
  await keep(opened, "web-library");
  assert.deepEqual(await problems(opened), []);
  await page.selectOption("#preset", "@hardest");
  await rows(10);
  const wanted = JSON.parse(native("query", index, "@hardest", "--format", "json"));
  assert.deepEqual(await page.locator(".library tbody td:first-child").allTextContents(), wanted.map(({ path }) => path));
  await page.selectOption("#preset", "@failed");
  await rows(1);
  assert.match(await page.textContent(".library tbody"), /twenty\/broken\.bvhimport4:8: expected a number, found "x"/);
  await page.fill("#sql", "SELECT count(*) AS found FROM clip_text WHERE clip_text MATCH 'twenty'");
  await page.click("text=Run");
  await page.waitForFunction(() => document.querySelector(".library tbody td")?.textContent === "20", null, { timeout: 30000 });
  await page.fill("#sql", "SELECT torque_pek FROM clip");
  await page.click("text=Run");
  await page.waitForFunction(() => document.querySelector(".library .wrong")?.textContent.includes("no such column: torque_pek"), null, { timeout: 30000 });

  const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Save index.db")]);
  const own = made("own.db");
  await file.saveAs(own);
  for (const preset of ["@hardest", "@peaks", "@jumps", "@warnings"]) {
    const answers = [index, own].map((path) => JSON.parse(native("query", path, preset, "--format", "json", "--limit", "40")));
    assert.equal(answers[1].length, answers[0].length, preset);
    // Joint and time of equal peaks may differ: the samples are symmetric, and rounding decides.
    const values = answers.map((answer) => answer.flatMap(({ torque_nm_kg, torque_peak_nm_kg, height_m, landing_peak_bw }) =>
      [torque_nm_kg, torque_peak_nm_kg, height_m, landing_peak_bw].filter((value) => typeof value === "number")));
    assertNear(values[1], values[0], preset);
    const paths = answers.map((answer) => answer.map(({ path, kind, message, unsure }) => [path, kind, message, unsure]));
    if (preset !== "@peaks") assert.deepEqual(paths[1], paths[0], preset);
  }
  await page.selectOption("#preset", "@hardest");
  await rows(10);
  await page.click(".library tbody tr:first-child button");
  const frame = await viewer(opened), shown = Number(await frame.$eval("#scrub", (slider) => slider.value));
  assert.ok(Math.abs(shown - wanted[0].t) < 0.02, `shows ${shown} s, the peak is at ${wanted[0].t} s`);
  opened.isClean();
  await page.close();
});

for (const [size, viewport] of Object.entries({ desktop: DESKTOP, tablet: TABLET, phone: PHONE }))
  for (const scheme of ["light", "dark"])
    test(`${size}, ${scheme}: nothing is cut off`, async () => {
      const opened = await openPage({ viewport, scheme });
      assert.deepEqual(await problems(opened), []);
      await keep(opened, `web-empty-${size}-${scheme}`);
      await opened.page.setInputFiles("#files", ["data/walk.bvh", "data/jump.bvh"]);
      await keep(opened, `web-working-${size}-${scheme}`);
      await viewer(opened);
      await settle(opened.page);
      assert.deepEqual(await problems(opened), []);
      await keep(opened, `web-clips-${size}-${scheme}`);
      opened.isClean();
      await opened.page.close();
    });

test("the speed of a clip: its verdict while the slider moves, the clip at that speed when it rests", async () => {
  const opened = await openPage({ viewport: PHONE }), { page } = opened;
  await drop(opened, { "jump.bvh": textOf("data/jump.bvh") });
  await viewer(opened); // alone on a phone
  const line = () => page.textContent("#speed-verdict");
  const move = (value) => page.$eval("#speed", (input, to) => {
    input.value = to;
    input.dispatchEvent(new Event("input"));
  }, value);
  const answered = (fps) => {
    const said = JSON.parse(native("verdict", "--json", "data/jump.bvh", "--import-fps", fps));
    return [`${said.verdict} ${said.why} (${said.factor.toFixed(2)} ± ${said.band.toFixed(2)}, ${said.joint}, frame ${said.frame})`, said.verdict];
  };
  assert.equal(await line(), ""); // the viewer says it
  for (const [speed, fps] of [[3, 300], [0.5, 50], [1, 100], [2, 200]]) {
    const [text, word] = answered(fps);
    await move(speed);
    await page.waitForFunction((wanted) => document.querySelector("#speed-verdict").textContent === wanted &&
                                            !document.querySelector(".speed.asking"), text, { timeout: 60000 })
      .catch(async () => assert.equal(await line(), text, `at ${speed}`));
    if (speed === 3) assert.equal(word, "impossible");
    if (speed <= 1) assert.equal(word, "possible");
  }
  assert.match(await page.textContent(".speed output"), /^2\.00×$/);
  for (let i = 0; i <= 20; i++) await move(0.5 + i / 8); // faster than they are computed: the last one counts
  await page.waitForFunction((wanted) => document.querySelector("#speed-verdict").textContent === wanted, answered(300)[0], { timeout: 60000 });
  await page.$eval("#speed", (input) => input.dispatchEvent(new Event("change")));
  await page.waitForFunction(() => document.querySelector(".view:not(.stale) iframe:not([hidden])"), null, { timeout: 60000 });
  await page.waitForFunction(() => document.querySelector("#speed")?.value === "3" && document.querySelector("#speed-verdict").textContent.startsWith("impossible"));
  const frame = await viewer(opened);
  await frame.waitForFunction(() => document.querySelector(".facts")?.textContent.includes("300 fps"), null, { timeout: 60000 });
  assert.match(await frame.textContent(".verdict"), /^impossible /);
  await keep(opened, "speed");
  opened.isClean();
});
