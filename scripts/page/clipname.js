// Paths of the index as names that tell clips apart: the file first, then the folders that not all clips share.

const parts = (path) => {
  const at = path.lastIndexOf("/") + 1;
  return { folder: path.slice(0, at), file: path.slice(at) };
};

// Folders that all paths begin with, "" or with a slash at the end.
export function commonFolder(paths) {
  let common = paths.length ? parts(paths[0]).folder : "";
  for (const path of paths)
    while (!path.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  return common;
}

// {name, folder}: "walk" of "a/b/walk.bvh.h5" in "b" where all lie in a/.
export function clipName(path, common) {
  const { folder, file } = parts(path);
  return { name: file.replace(/(\.bvh)?\.h5$/i, "") || file, folder: folder.slice(common.length).replace(/\/$/, "") };
}
