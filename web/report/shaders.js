// Compiles the shaders of a stage before its clip arrives: draws a body of one triangle on the canvas of the clip.
import { el } from "./dom.js";
import { rendererOn, Stage } from "./scene.js";

const TRIANGLE = { vertices: 3, faces: 1, position: [[0, 1, 0], [0, 0, 1], [0, 0, 0]], joint: [[0, 0, 0], [0, 0, 0]],
                   share: [0, 0, 0], corner: [[0], [1], [2]], bind: [0, 0, 0, 0, 0, 0, 1] };

// What the stage reads of a clip (clip.js). With this mass, a force of 1 N is an arrow of half the size.
const PLACEHOLDER = {
  start: 0, end: 0, samples: 1, skin: TRIANGLE, turns: [0, 0, 0, 1], joints: [{}], supports: [{}], lines: [], series: {},
  mass: 0.1, ground_normal: [0, 1, 0], ground_height: 0, size: () => 1, facing: () => [0, 0, 1], travel: () => [0, 0],
  has: (name) => name === "com",
  pose: () => [0, 0, 0], box: () => ({ low: [-1, 0, -1], high: [1, 1, 1] }), times: () => [0],
  reach: () => [[0, 0, 0], [0, 1, 0]], linePlaces: () => [],
  vector: () => [0, 1, 0], whyNot: () => "", isSound: () => true,
};

// {canvas, renderer}; the renderer keeps the compiled shaders and is null without WebGL.
export function compileShaders() {
  const canvas = el("canvas"), renderer = rendererOn(canvas);
  if (renderer) {
    const stage = new Stage(renderer, [PLACEHOLDER], 1, () => {});
    stage.resize(64, 64);
    stage.look(0, 0, 0);
    stage.update(0, [[0]]);
    stage.controls.dispose();
  }
  return { canvas, renderer };
}
