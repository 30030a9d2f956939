// Resamples a series of a clip to `count` columns between two times: the largest of the samples in a column and the
// value in its middle; NaN where the clip has none.
export function columnsOf(clip, series, { start, end }, count) {
  const out = new Float32Array(count).fill(NaN), step = (end - start) / count;
  for (let x = 0; x < count; x++) {
    const time = start + (x + 0.5) * step;
    if (time >= clip.start && time <= clip.end) out[x] = clip.valueOf(series, time);
  }
  series.forEach((value, i) => {
    const x = step > 0 ? Math.min(Math.max(Math.floor((clip.timeOf(i) - start) / step), 0), count - 1) : 0;
    if (!(out[x] >= value)) out[x] = value;
  });
  return out;
}

// Whether a plot has more than four samples per pixel, so that a polyline would be drawn as an area.
export const isDense = ({ bbox }, first, last) => last - first > 4 * bbox.width;

// Paints the area between two lines of a dense plot as one bar per pixel, from the minimum of the lower to the maximum
// of the upper line. If both are the same line, a bar begins at the last value of the previous pixel. room: extra
// height above and below, pixels.
export function paintBars(plot, lower, upper, [first, last], { colour, room }) {
  const { ctx, bbox, data: [times] } = plot, { min, max } = plot.scales.x, scale = bbox.width / (max - min);
  const y = (value) => Math.min(Math.max(plot.valToPos(value, "y", true), bbox.top), bbox.top + bbox.height);
  let pixel = -1, low = Infinity, high = -Infinity;
  const paint = () => {
    if (!(low <= high) || pixel < 0 || pixel >= bbox.width) return;
    const top = y(high) - room;
    ctx.fillRect(bbox.left + pixel, top, 1, y(low) + room - top);
  };
  ctx.fillStyle = colour;
  for (let i = first; i <= last; i++) {
    const here = Math.floor((times[i] - min) * scale), isKnown = lower[i] !== null && upper[i] !== null;
    if (here !== pixel) {
      const before = lower === upper && isKnown && here === pixel + 1 ? lower[i - 1] : null;
      paint();
      [pixel, low, high] = [here, before ?? Infinity, before ?? -Infinity];
    }
    if (!isKnown) continue;
    low = Math.min(low, lower[i]);
    high = Math.max(high, upper[i]);
  }
  paint();
}
