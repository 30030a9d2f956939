// A series of a clip between two times, as so many columns: the value in the middle of each, or the largest sample that
// lies in it; NaN where the clip has none.
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
