// Colour map of torques: viridis (van der Walt and Smith, 2015; CC0), perceptually uniform and safe for colour-blind
// readers. Its darkest part is omitted, as it would not show on the dark stage.

const VIRIDIS = [
  [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [109, 205, 89],
  [180, 222, 44], [253, 231, 37],
];

export const UNKNOWN = [0.47, 0.5, 0.55];

// Maps part in 0..1 to red, green, blue in 0..1 (sRGB).
export function torqueColour(part, out = [0, 0, 0]) {
  if (!Number.isFinite(part)) return Object.assign(out, UNKNOWN);
  const at = Math.min(Math.max(part, 0), 1) * (VIRIDIS.length - 1);
  const i = Math.min(Math.floor(at), VIRIDIS.length - 2);
  for (let c = 0; c < 3; c++) out[c] = (VIRIDIS[i][c] + (at - i) * (VIRIDIS[i + 1][c] - VIRIDIS[i][c])) / 255;
  return out;
}

export const css = ([r, g, b]) => `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;

export const ramp = () =>
  `linear-gradient(to right, ${VIRIDIS.map((c) => css(c.map((value) => value / 255))).join(", ")})`;

// The next round number at or above a value.
export function niceAbove(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 7, 10].map((step) => step * power).find((step) => step >= value * 0.999);
}

const LOADED = 4; // number of joints that set the end of the scale

// 98th percentile of the torque samples of a joint where the recording is sound.
function mostly(clip, joint) {
  const sorted = clip.series.torque[joint]
    .filter((value, i) => Number.isFinite(value) && clip.isSound(clip.timeOf(i), joint)).sort();
  return sorted[Math.floor(0.98 * sorted.length)] ?? 0;
}

// End of the colour scale, common to all clips: the largest 98th percentile of the most loaded joints.
export function torqueRange(clips) {
  const loads = clips.filter((clip) => clip.has("torque")).flatMap((clip) => {
    const peaks = clip.joints.map((joint, j) => ({ j, peak: clip.ranks(j) ? joint.peak_nm_kg ?? 0 : -1 }));
    return peaks.filter(({ peak }) => peak >= 0).sort((a, b) => b.peak - a.peak).slice(0, clip.controller ? Infinity : LOADED)
      .map(({ j }) => mostly(clip, j));
  });
  return niceAbove(Math.max(...loads, 0));
}
