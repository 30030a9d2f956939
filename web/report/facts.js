// Text about the clips: the line under the title, the key of the plots, all metrics.
import { el, figure, measured, short, words } from "./dom.js";
import { nameOf } from "./events.js";
import { LETTERS, LINES } from "./tints.js";

const letter = (clips, i) => (clips.length > 1 ? `${LETTERS[i]} ` : "");

// What became of a tracked body.
function fate({ outcome, lost_s: lost, rest_s: rest, stable_time: stable }) {
  if (outcome === "falls") return `falls at ${short(lost)} s${rest === null ? "" : `, at rest at ${short(rest)} s`}`;
  return `${outcome && outcome !== "held" && outcome !== "diverges" ? `${outcome}, ` : ""}stable for ${short(stable)} s`;
}

// Quality of a clip: its residual, or the tracking error of a controller.
function trust(clip, name) {
  const { residual_force_rms_bw: residual, contact_confidence: confidence } = clip.figures;
  if (clip.controller)
    return [`${name}off by ${short((clip.tracking.mean_error * 180) / Math.PI)}°, ${fate(clip.tracking)}`];
  const { trusted_fraction: share } = clip.figures, reason = clip.untrusted_reason ? `, mostly ${clip.untrusted_reason.replaceAll("_", " ")}` : "";
  return [...(share === null ? [] : [`${name}trusted ${short(100 * share, 3)} %${share < 1 ? reason : ""}`]),
          ...(residual === null ? [] : [`${name}residual ${short(residual, 2)} BW`]),
          ...(confidence === null ? [] : [`${name}confidence ${short(confidence, 2)}`])];
}

// The verdict of each clip that has one: word, why, and a button to the moment of its factor, go(time, joint, side).
export function verdictsOf(clips, go) {
  const lines = clips.flatMap((clip, i) => {
    if (!clip.verdict || !clip.has("torque")) return [];
    const { word, why, joint, frame, t, factor, band } = clip.verdict;
    const line = el("p", { className: "verdict" }, el("span", { className: `word ${word}`, textContent: `${letter(clips, i)}${word}` }), ` ${why} `);
    if (joint < 0) return [line];
    const at = el("button", { type: "button", className: "text", title: "Go to this moment",
      textContent: `${factor.toFixed(2)} ± ${band.toFixed(2)}, ${nameOf(clip.joints[joint])}, frame ${frame}` });
    at.onclick = () => go(t, joint, i);
    line.append(at);
    return [line];
  });
  return el("div", { className: "verdicts" }, ...lines);
}

export function factsOf(clips) {
  const clip = clips[0];
  const facts = [`${clip.frames.toLocaleString("en")} ${clip.frames === 1 ? "frame" : "frames"} at ${short(1 / clip.frame_time, 4)} fps`];
  if (clip.mass) facts.push(`${short(clip.mass)} kg`);
  clips.forEach((one, i) => facts.push(...trust(one, letter(clips, i))));
  clips.forEach((one, i) => { if (one.unsure) facts.push(`${letter(clips, i)}unsure: ${one.unsure}`); });
  const thinned = clips.find((one) => one.stride > 1);
  if (thinned) facts.push(`shown: 1 of ${thinned.stride} frames; loads keep the largest of each ${thinned.stride}`);
  return facts.join(" · ");
}

// Meaning of the shades in the plots, for the clip whose contacts are drawn.
export function keyOf(clips, shaded) {
  const item = (name, text) => el("span", { className: `shade ${name}`, textContent: text });
  const key = el("p", { className: "key" }), whose = letter(clips, clips.indexOf(shaded));
  if (shaded.supports.some((support) => support.foot))
    key.append(item("left", `${whose}left foot down`), item("right", `${whose}right foot down`));
  else if (shaded.supports.length) key.append(item("other", `${whose}its limb down`));
  if (clips.some((one) => one.untrusted.length)) key.append(item("grey", "not trusted"));
  if (clips.length > 1)
    clips.forEach((one, i) => {
      const lacks = one.has("torque") ? "" : ", no torques";
      const name = el("span", { className: "line", textContent: `${LETTERS[i]} ${one.label}${lacks}` });
      name.style.setProperty("--own", `var(${LINES[i]})`);
      key.append(name);
    });
  return key;
}

export function aboutOf(clips) {
  const details = el("details", { className: "about" }, el("summary", { textContent: "About these clips" }));
  if (clips.length === 1) details.firstChild.textContent = "About this clip";
  for (const clip of clips) {
    const rows = Object.entries(clip.tracking ?? clip.figures).filter(([, value]) => value !== null && value !== "");
    details.append(el("h3", { textContent: `${clip.label} (${clip.source})` }),
                   el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", { textContent: words(name) }), el("dd", { textContent: typeof value === "number" ? short(value, 4) : value })])),
                   el("pre", { textContent: clip.history }));
  }
  return details;
}

// The share of frames that statistics leave out, with its reason.
function leftOut({ figures: { left_out_fraction: share }, left_out_reason: reason }) {
  if (share === null || share === undefined) return "";
  return share > 0 ? `, ${short(100 * share, 2)} % left out: ${words(reason)}` : ", none left out";
}

// Metrics of a joint of the first clip; isMissing: the second clip has no such joint.
export function noteOf(clip, joint, isMissing) {
  const parts = [];
  if (joint.role && joint.name.toLowerCase() !== words(joint.role)) parts.push(joint.name);
  if (joint.peak_nm_kg > 0) parts.push(`peak ${measured(joint.peak_nm_kg, clip.value("torque_sd", clip.joints.indexOf(joint), joint.peak_t))} N m/kg at ${figure(joint.peak_t)} s`);
  if (joint.peak_all_nm_kg > 0) parts.push(`of all frames ${figure(joint.peak_all_nm_kg)}${joint.peak_all_nm_kg > joint.peak_nm_kg ? ` at ${figure(joint.peak_all_t)} s` : ""}${leftOut(clip)}`);
  if (joint.peak_nm_kg > 0) parts.push(`RMS ${figure(joint.rms_nm_kg)}`);
  if (joint.residual && clip.has("torque")) parts.push("carries the residual: what the floating base would still need");
  if (joint.carrier >= 0) parts.push(`moves with ${nameOf(clip.joints[joint.carrier])}`);
  if (isMissing) parts.push("B has no such joint");
  return parts.join(" · ");
}
