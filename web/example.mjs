// Prints the largest trusted torque of each joint of a BVH file in N m/kg.   usage: node example.mjs walk.bvh [MASS]
import { readFile } from "node:fs/promises";
import { run } from "kane-wasm";

const [file, mass] = process.argv.slice(2);
const { lines, attributes, arrays } = await run(await readFile(file), { name: file, "body-mass": mass });
console.error(lines.join("\n"));

const names = arrays["/joint"].values, torque = arrays["/dynamics/torque"], trusted = arrays["/trust/trusted"].values;
const [frames, joints] = torque.shape, peak = new Array(joints).fill(0);
for (let frame = 0; frame < frames; frame++)
  for (let joint = 0; joint < joints; joint++) {
    const at = 3 * (frame * joints + joint);
    if (trusted[frame]) peak[joint] = Math.max(peak[joint], Math.hypot(...torque.values.subarray(at, at + 3)));
  }
names.forEach((name, joint) => console.log(name, (peak[joint] / attributes["body/total_mass"]).toFixed(3)));
