// Writes 72,000 frames of 31 joints at 120 Hz, or the given numbers: a short clip forwards and backwards, with a tail
// of additional joints and different slow oscillations and noise in each channel, so that no interval repeats and
// compression cannot exploit repetition.
// usage: node long_clip.mjs CLIP.bvh LONG.bvh [FRAMES JOINTS]
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const [, , source, target, FRAMES = 72000, JOINTS = 31] = process.argv;
const [hierarchy, motion] = readFileSync(source, "utf8").split("MOTION");
const rows = motion.trim().split(/\r?\n/).slice(2).map((line) => line.trim().split(/\s+/).map(Number));
const tail = JOINTS - [...hierarchy.matchAll(/ROOT|JOINT/g)].length;

let joints = "";
for (let i = 0; i < tail; i++) joints += `JOINT Tail${i}\n{\nOFFSET 0 ${i ? 0 : 5} -8\nCHANNELS 3 Zrotation Xrotation Yrotation\n`;
joints += `End Site\n{\nOFFSET 0 0 -8\n}\n${"}\n".repeat(tail)}`;

let seed = 1;
const noise = () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32 - 0.5;
const wave = (f, c) => 3 * Math.sin(f * (0.011 + 0.0007 * c) + c) + 1.5 * Math.sin(f * (0.043 + 0.0013 * c)) + 0.4 * noise();

const file = openSync(target, "w");
const end = hierarchy.trimEnd().lastIndexOf("}");
writeSync(file, `${hierarchy.slice(0, end)}${joints}}\nMOTION\nFrames: ${FRAMES}\nFrame Time: 0.00833333\n`);
for (let first = 0; first < Number(FRAMES); first += 1000) {
  let text = "";
  for (let f = first; f < Math.min(first + 1000, Number(FRAMES)); f++) {
    const turn = f % (2 * rows.length);
    const row = rows[turn < rows.length ? turn : 2 * rows.length - 1 - turn].concat(new Array(3 * tail).fill(0));
    text += row.map((value, c) => (c < 3 ? value : value + wave(f, c)).toFixed(4)).join(" ") + "\n";
  }
  writeSync(file, text);
}
closeSync(file);
