// Dropped or chosen files and folders as {name, bytes}; the name includes the path from the dropped folder.

const isMotion = (name) => /\.(bvh|glb|gltf|vrma|vrm|fbx)$/i.test(name);

async function read(file, name) {
  return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

const promised = (call) => new Promise((resolve, reject) => call(resolve, reject));

// Of folders, only motion files are read; files dropped individually are always read.
async function walk(entry, path, isInFolder) {
  const name = path + entry.name;
  if (entry.isFile) return isInFolder && !isMotion(name) ? [] : [await read(await promised((...done) => entry.file(...done)), name)];
  const reader = entry.createReader(), found = [];
  for (let some; (some = await promised((...done) => reader.readEntries(...done))).length; )
    for (const inner of some) found.push(...(await walk(inner, `${name}/`, true)));
  return found;
}

export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return Promise.all([...transfer.files].map((file) => read(file, file.name)));
  return (await Promise.all(entries.map((entry) => walk(entry, "", false)))).flat();
}

export function chosen(input) {
  const files = [...input.files].map((file) => [file, file.webkitRelativePath || file.name]);
  return Promise.all(files.filter(([, name]) => !input.webkitdirectory || isMotion(name)).map(([file, name]) => read(file, name)));
}

export function save(name, bytes, type = "application/octet-stream") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
