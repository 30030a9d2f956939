// Time intervals, [from, to] each; a long clip has thousands.

// Merges overlapping intervals and sorts them.
export function joined(intervals) {
  const out = [];
  for (const [t0, t1] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && t0 <= last[1]) last[1] = Math.max(last[1], t1);
    else out.push([t0, t1]);
  }
  return out;
}

const NEAR = 0.5; // gap below which two intervals are drawn as one, pixels

// Maps ordered intervals to [left, right] in pixels, clipped to [min, max]; merges those closer than NEAR.
export function pixelsOf(intervals, toPixel, [min, max]) {
  const out = [];
  for (const [t0, t1] of intervals) {
    const left = Math.max(toPixel(t0), min), right = Math.min(toPixel(t1), max), last = out.at(-1);
    if (!(right >= left)) continue;
    if (last && left - last[1] < NEAR) last[1] = Math.max(last[1], right);
    else out.push([left, right]);
  }
  return out;
}
