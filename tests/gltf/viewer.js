// A viewer as small as can be, for the browser: show(bytes, seconds) draws a .glb at a time of its animation.
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

globalThis.show = async (bytes, seconds) => {
  const { scene: figure, animations } = await new GLTFLoader().parseAsync(Uint8Array.from(bytes).buffer, "");
  const mixer = new THREE.AnimationMixer(figure), scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(40, 1.5, 0.1, 100);
  mixer.clipAction(animations[0]).play();
  mixer.setTime(seconds);
  scene.add(figure, new THREE.HemisphereLight(0xffffff, 0xffffff, 3));
  figure.updateMatrixWorld(true);
  const { x, z } = figure.getObjectByName("Hips").getWorldPosition(new THREE.Vector3());
  camera.position.set(x + 3.5, 1, z);
  camera.lookAt(x, 0.9, z);
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(600, 400);
  renderer.setClearColor(0xffffff);
  renderer.render(scene, camera);
  const gl = renderer.getContext(), pixels = new Uint8Array(4 * 600 * 400);
  gl.readPixels(0, 0, 600, 400, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let body = 0, bright = 0; // all that is drawn; what is green or yellow: more than half of the scale
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = pixels.subarray(i, i + 3);
    body += r + g + b < 700;
    bright += g > 120 && g > b + 60;
  }
  return { body, bright };
};
