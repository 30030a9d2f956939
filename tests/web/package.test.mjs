// The npm package, installed from its tarball: the output of its example equals the program's.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const { KANE, WORK, WEB, PACKAGE } = process.env;
const MAX_BYTES = 1.5e6;

test("the example of the npm package prints the largest trusted torques", () => {
  const folder = join(WORK, "package"), run = (...words) => execFileSync(words[0], words.slice(1), { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  mkdirSync(folder);
  const filename = PACKAGE ?? join(folder, JSON.parse(run("npm", "pack", "--json", WEB))[0].filename), { size } = statSync(filename);
  assert.ok(size < MAX_BYTES, `${size} bytes`);
  mkdirSync(join(folder, "node_modules/kane-wasm"), { recursive: true });
  run("tar", "-xzf", filename, "--strip-components=1", "-C", "node_modules/kane-wasm");
  copyFileSync("web/example.mjs", join(folder, "example.mjs"));
  copyFileSync("data/walk.bvh", join(folder, "walk.bvh"));
  const own = run("node", "example.mjs", "walk.bvh", "62").trim().split("\n").map((line) => line.split(" "));

  run(KANE, "run", "--body-mass", "62", "walk.bvh", "-o", "walk.h5");
  run(KANE, "index", "index.db", "walk.h5");
  const question = "SELECT joint, max(torque) / 62 FROM kane_frames('walk.h5') WHERE trusted GROUP BY joint HAVING max(torque) > 0";
  const rows = run(KANE, "query", "index.db", "--sql", question, "--format", "csv").trim().split("\n").slice(1);
  assert.ok(rows.length > 10);
  for (const [name, peak] of rows.map((row) => row.split(",")))
    assert.ok(Math.abs(Number(peak) - own.find(([joint]) => joint === name)[1]) <= 0.00051, `${name}: ${peak}`);
  assert.match(readFileSync(join(folder, "node_modules/kane-wasm/kane.d.ts"), "utf8"), /export function run/);
});
