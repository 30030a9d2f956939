// Reads clip files with h5wasm, libhdf5 compiled for JavaScript.
import h5wasm from "../../web/report/node_modules/h5wasm/dist/node/hdf5_hl.js";

await h5wasm.ready;

const attributesOf = (object) => Object.fromEntries(Object.entries(object.attrs).map(([name, { value }]) => [name, value]));

// {path: {values, shape, attributes}} of all datasets, with the group attributes under their paths.
export function readClipFile(path) {
  const file = new h5wasm.File(path, "r"), found = {};
  const read = (group, place) => {
    found[place || "/"] = { attributes: attributesOf(group) };
    for (const name of group.keys()) {
      const item = group.get(name), inner = `${place}/${name}`;
      if (item.type === "Group") read(item, inner);
      else found[inner] = { values: item.value, shape: item.shape, attributes: attributesOf(item) };
    }
  };
  read(file, "");
  file.close();
  return found;
}
