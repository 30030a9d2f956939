// Stretches of time, [from, to] each, of which a long clip has thousands.

// As stretches that do not overlap, in order.
export function joined(stretches) {
  const out = [];
  for (const [t0, t1] of stretches.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && t0 <= last[1]) last[1] = Math.max(last[1], t1);
    else out.push([t0, t1]);
  }
  return out;
}

const NEAR = 0.5; // pixels between two stretches that are drawn as one

// Where ordered stretches lie along an axis, [left, right] each in pixels between two ends: as few as can be distinguished.
export function pixelsOf(stretches, toPixel, [least, most]) {
  const out = [];
  for (const [t0, t1] of stretches) {
    const left = Math.max(toPixel(t0), least), right = Math.min(toPixel(t1), most), last = out.at(-1);
    if (!(right >= left)) continue;
    if (last && left - last[1] < NEAR) last[1] = Math.max(last[1], right);
    else out.push([left, right]);
  }
  return out;
}
