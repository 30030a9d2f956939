// Ground grid below the whole path of the clip.
import {
  BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, PlaneGeometry, Quaternion,
  ShadowMaterial, Vector3,
} from "three";

const MAX_CELLS = 200, PIECE = 4; // cells per line segment; some renderers drop lines far behind the camera
const COLOUR = new Color("#414b59"), MAIN = new Color("#75818f");

// Lines from first to last cell, one per cell between across[0] and across[1]; along: 0 for x, 2 for z.
function lines(along, [first, last], [min, largest], cell, place, colour) {
  for (let side = min; side <= largest; side++)
    for (let at = first; at < last; at += PIECE)
      for (const end of [at, Math.min(at + PIECE, last)]) {
        place.push(...(along === 0 ? [end * cell, 0, side * cell] : [side * cell, 0, end * cell]));
        colour.push(...(side === 0 ? MAIN : COLOUR).toArray());
      }
}

// Range of cells that covers the clip's path along an axis, with a margin.
function cells(clip, axis, margin, cell) {
  const [min, largest] = clip.travel(axis), middle = (min + largest) / 2;
  const half = Math.min((largest - min) / 2 + margin, (MAX_CELLS / 2) * cell);
  return [Math.floor((middle - half) / cell), Math.ceil((middle + half) / cell)];
}

export function groundGrid(clip, size, cell) {
  const wide = cells(clip, 0, 3 * size, cell), deep = cells(clip, 2, 3 * size, cell), place = [], colour = [];
  lines(0, wide, deep, cell, place, colour);
  lines(2, deep, wide, cell, place, colour);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(place, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colour, 3));
  const group = new Group().add(new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true })));
  group.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...clip.ground_normal).normalize()));
  group.position.y = clip.ground_height;
  return group;
}

// An invisible plane that receives shadows and moves with the body.
export function shadowCatcher(clip, size) {
  const catcher = new Mesh(new PlaneGeometry(9 * size, 9 * size), new ShadowMaterial({ opacity: 0.42 }));
  catcher.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...clip.ground_normal).normalize());
  catcher.position.y = clip.ground_height - 0.001 * size;
  catcher.receiveShadow = true;
  return catcher;
}
