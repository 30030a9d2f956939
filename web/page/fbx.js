// FBX files as scenes for kane (formats/scene_file/scene_stream.h), read by three.js: nodes and the keys of each take.
import { LoadingManager, Texture } from "three";
import { FBXLoader } from "three/examples/jsm/loaders/FBXLoader.js";

const PLAIN = 0, BONE = 1, MESH = 2, OTHER = 3, MULTIPLY = 1, UP_Y = 2;
const MAX_BYTES = 2 ** 27; // of a file: three.js takes several times as much memory
const paths = [["position", 3], ["quaternion", 4], ["scale", 3]];

class Bytes {
  parts = [];
  put(array) { this.parts.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)); }
  integers(...values) { this.put(Int32Array.from(values)); }
  numbers(values) { this.put(Float64Array.from(values)); }
  name(text) {
    const bytes = new TextEncoder().encode(text).slice(0, 4096);
    this.integers(bytes.length);
    this.put(bytes);
  }
  all() {
    const bytes = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    this.parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
    return bytes;
  }
}

const kindOf = (node) => (node.isBone ? BONE : node.isMesh ? MESH : node.isCamera || node.isLight ? OTHER : PLAIN);

// The tree in depth-first order: [node, index of its parent].
function listNodes(node, parent = -1, list = []) {
  const index = list.push([node, parent]) - 1;
  node.children.forEach((child) => listNodes(child, index, list));
  return list;
}

function putNode(bytes, node, parent) {
  node.updateMatrix();
  const m = node.matrix.elements, q = node.quaternion, at = node.position;
  bytes.name(node.userData.originalName ?? node.name ?? "");
  bytes.integers(parent, kindOf(node), MULTIPLY);
  bytes.numbers([m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10], q.w, q.x, q.y, q.z, at.x, at.y, at.z]);
}

// The tracks of a take by node: [index, [position, quaternion, scale]].
function channelsOf(clip, nodes) {
  const byName = new Map(nodes.map(([node], index) => [node.name, index])), channels = new Map();
  for (const track of clip.tracks) {
    const dot = track.name.lastIndexOf("."), index = byName.get(track.name.slice(0, dot));
    const path = paths.findIndex(([name]) => name === track.name.slice(dot + 1));
    if (index === undefined || path < 0) continue;
    if (!channels.has(index)) channels.set(index, []);
    channels.get(index)[path] = track;
  }
  return [...channels];
}

function scene(clip, nodes, unit) {
  const bytes = new Bytes(), channels = channelsOf(clip, nodes);
  bytes.put(new TextEncoder().encode("kscene1\0"));
  bytes.integers(nodes.length, channels.length, UP_Y);
  bytes.numbers([NaN, NaN, 0, unit]);
  bytes.name(clip.name);
  nodes.forEach(([node, parent]) => putNode(bytes, node, parent));
  for (const [index, tracks] of channels) {
    bytes.integers(index);
    paths.forEach((_, path) => {
      const track = tracks[path];
      bytes.integers(track ? track.times.length : 0, 0);
      if (track) bytes.numbers(track.times), bytes.numbers(track.values);
    });
  }
  return bytes.all();
}

// All takes of a file: each scene after its length. The page stores them beside the file (web/scene_child.c).
export function fbxScenes(file) {
  if (file.length > MAX_BYTES) throw new RangeError("the FBX file is too large");
  globalThis.window ??= globalThis; // asked for the size of a window
  const blank = { path: "", setPath() { return this; }, load: () => new Texture() }; // no pictures
  const root = new FBXLoader(new LoadingManager().addHandler(/./, blank)).parse(file.slice().buffer, "");
  const nodes = listNodes(root), unit = (root.userData.unitScaleFactor ?? 1) / 100, bytes = new Bytes();
  for (const clip of root.animations) {
    const one = scene(clip, nodes, unit);
    bytes.integers(one.length);
    bytes.put(one);
  }
  return bytes.all();
}
