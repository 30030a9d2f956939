/* The rule of which files an output may replace, so that no user's file is overwritten by accident.
 *
 * An output may not replace an input of the same command (by inode), a file of another kind, the source itself, or a
 * clip file or BVH file of another source: with another name and other content, or with the same name at another or
 * unknown path. The source of a BVH file is known from kane's mark; without mark only the same bytes may replace it.
 * Tables, pictures and pages may be replaced if they have kane's mark; without mark by the same bytes, a table also by
 * one with the same columns, and on file systems without marks, non-text files by their kind. A symbolic link as the
 * path is refused, because renaming would remove the link; devices, pipes and linked folders are allowed. `--force`
 * permits all except links and folders. Commands apply the rule through pipeline/cli/output_file.h, libkane and the
 * workers of a batch through this file. */
#ifndef KANE_CONTAINER_OUTPUT_RULE_H
#define KANE_CONTAINER_OUTPUT_RULE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/base/file_kind.h"

/* Marks on files that kane writes, in extended attributes: the source of the clip. File systems without extended
 * attributes have none.
 *
 * A BVH file contains neither its source nor comments, so its mark contains both, with a digest of the content: edited
 * files and copies have no valid mark. Tables, pictures and pages have the same mark, which distinguishes them from
 * files of users. A clip file contains the name of its source, but not its path, because its bytes do not depend on it;
 * the mark has the path, which distinguishes an edited source from another file of the same name. */

#define ORIGIN_MARK "user.kane.origin"   /* "content digest, source digest, source", separated by spaces */
#define PATH_HASH_MARK "user.kane.place" /* of both kinds */
#define PATH_HASH_SIZE 17

typedef struct OriginMark {
    char source_sha256[DIGEST_SIZE]; /* "" if unknown */
    char source[256];                /* base name; "" if unknown */
} OriginMark;

/* Marks a finished file, if possible. origin NULL: not of a clip. */
void origin_mark_put(const char *path, const Provenance *origin);

typedef enum OriginMarkState {
    ORIGIN_MARK_NONE,
    ORIGIN_MARK_IMPOSSIBLE, /* none; the file system has no extended attributes */
    ORIGIN_MARK_LAPSED,     /* does not match the content: the file was modified */
    ORIGIN_MARK_GOOD,
} OriginMarkState;

/* Reads the mark; *mark is filled if ORIGIN_MARK_GOOD. */
OriginMarkState origin_mark_get(const char *path, OriginMark *mark);

/* Computes the mark of a path: XXH64 of the absolute path without symbolic links, 16 hexadecimal digits. "" if the file
 * does not exist. */
void hash_path(const char *path, char hash[PATH_HASH_SIZE]);

/* Marks an open file with the path mark of its source, if known and possible. */
void path_hash_put(int descriptor, const char *hash);

/* Reads the path mark of a file; "" if it has none. */
void path_hash_get(const char *path, char hash[PATH_HASH_SIZE]);

/* A file to be written, and its inputs. */
typedef struct OutputClaim {
    FileKind kind;
    const char *const *input; /* [input_count] paths that the command reads; missing files are ignored */
    int input_count;
    int forced;
    const Provenance *origin; /* of the clip that is written; NULL: not known yet, or no clip */
    const char *path_hash;    /* path mark of its source; NULL or "": unknown */
    const char *made;         /* temporary path of the new file; NULL: not written yet, or a clip file */
} OutputClaim;

/* STATUS_OK if the output may be written to path. STATUS_USAGE if path is an input, STATUS_BAD_INPUT if an existing
 * file is protected; err does not have the path. Reads the beginning of an existing file, or the attributes of a clip
 * file. */
Status output_allowed(const char *path, const OutputClaim *claim, Error *err);

/* For files that are updated in place, such as an index: STATUS_BAD_INPUT if path is a dangling symbolic link, through
 * which a file would be created elsewhere. */
Status output_leads_somewhere(const char *path, Error *err);

/* Storing of clip files, the only way in which they get their names; the rule above applies. A clip file has a
 * temporary name until it is complete and on disk. */

/* Checks whether a clip file of any source may replace path: nothing, an empty file, a clip file of kane, whole or
 * truncated, or a device. STATUS_BAD_INPUT for other files. */
Status container_may_replace(const char *path, Error *err);

/* Stores the clip at path: written, synced, renamed. On failure an existing file is unchanged. */
Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err);

/* Likewise without sync and rename, for callers that do these later or for many files: new_file_commit does both,
 * new_file_leave leaves them to another process. Call output_allowed before. temporary: the name until then; NULL:
 * beside path. */
Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err);

#endif
