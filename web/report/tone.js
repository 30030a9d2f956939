// Quantity shown by the colours of a body: torque, strength utilization or trust.
import { torqueColour, UNKNOWN } from "./colour.js";

const TRUSTED = [0.36, 0.62, 0.72], DOUBTED = [0.93, 0.42, 0.27]; // safe for colour-blind readers

export const TONES = [
  { name: "scene", title: "colours of the scene", has: (clip) => Boolean(clip.skin.tints) },
  { name: "torque", title: "joint torque, N m/kg", has: (clip) => clip.has("torque") },
  { name: "utilization", title: "utilization of strength, %", has: (clip) => clip.has("utilization") },
  { name: "trust", title: "trust", has: (clip) => Boolean(clip.untrusted) },
];

// Red, green, blue in 0..1 (sRGB) of a joint; range: torque at the end of the scale, N m/kg.
export function jointColour(tone, clip, joint, time, range, out = [0, 0, 0]) {
  const why = clip.whyNot(time, joint);
  if (tone === "trust") return Object.assign(out, why ? DOUBTED : TRUSTED);
  if (tone === "torque" && why && !clip.joints[joint].residual && clip.isOnlyUncertain(time, joint))
    return torqueColour(clip.lowTorque(joint, time) / range, out); // the least that it carries
  if (why || clip.joints[joint].residual || !clip.has(tone)) return Object.assign(out, UNKNOWN);
  return torqueColour(clip.value(tone, joint, time) / (tone === "utilization" ? 1 : range), out);
}

export const TRUST_COLOURS = [["trusted", TRUSTED], ["not trusted", DOUBTED]];
