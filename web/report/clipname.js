// Short names of index paths: the file name, and the folders that not all clips have in common.

const parts = (path) => {
  const at = path.lastIndexOf("/") + 1;
  return { folder: path.slice(0, at), file: path.slice(at) };
};

// The common leading folders of all paths: "" or with a trailing slash.
export function commonFolder(paths) {
  let common = paths.length ? parts(paths[0]).folder : "";
  for (const path of paths)
    while (!path.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  return common;
}

// {name, folder}: "walk" in "b" for "a/b/walk.bvh.h5" if all paths begin with a/.
export function clipName(path, common) {
  const { folder, file } = parts(path);
  return { name: file.replace(/(\.bvh)?\.h5$/i, "") || file, folder: folder.slice(common.length).replace(/\/$/, "") };
}
