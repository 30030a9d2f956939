// Drawing of long clips: time intervals and lines of a plot, pixel by pixel.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDense, paintBars } from "../../web/report/columns.js";
import { joined, pixelsOf } from "../../web/report/intervals.js";

test("intervals less than half a pixel apart are drawn as one, within the ends", () => {
  const two = (time) => 2 * time;
  assert.deepEqual(pixelsOf([[0, 1], [1.2, 2], [3, 4]], two, [0, 100]), [[0, 4], [6, 8]]);
  assert.deepEqual(pixelsOf([[-3, -2], [-1, 1], [9, 12], [13, 14]], two, [0, 20]), [[0, 2], [18, 20]]);
  assert.deepEqual(pixelsOf([[3, 3]], two, [0, 20]), [[6, 6]]);
  assert.deepEqual(joined([[2, 4], [0, 1], [3, 5]]), [[0, 1], [2, 5]]);
});

// A plot of ten pixels and ten seconds whose values are pixels plus 100, and the bars painted on it.
function painted(times, lower, upper) {
  const bars = [], bbox = { left: 5, width: 10, top: 0, height: 100 };
  const ctx = { fillRect: (...bar) => bars.push(bar) };
  const plot = { ctx, bbox, data: [times], scales: { x: { min: 0, max: 10 } }, valToPos: (value) => 100 - value };
  paintBars(plot, lower, upper ?? lower, [0, times.length - 1], { colour: "red", room: upper ? 0 : 1 });
  return bars;
}

test("a dense line is one bar for each pixel, from the pixel before on, with gaps where it is unknown", () => {
  assert.equal(isDense({ bbox: { width: 10 } }, 0, 40), false);
  assert.equal(isDense({ bbox: { width: 10 } }, 0, 41), true);
  const times = [0, 0.5, 1, 1.5, 2, 2.5, 4];
  assert.deepEqual(painted(times, [10, 20, 40, 30, null, null, 60]), [[5, 79, 1, 12], [6, 59, 1, 22], [9, 39, 1, 2]]);
});

test("a band is one bar for each pixel, from its lowest to its highest end, within the plot", () => {
  assert.deepEqual(painted([0, 0.5, 1], [10, 5, 20], [20, 30, 200]), [[5, 70, 1, 25], [6, 0, 1, 80]]);
});
