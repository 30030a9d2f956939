/* The rule of which files an output may replace, so that no user's file is overwritten by accident.
 *
 * 1. Without kane's mark a file is the user's: only the same bytes may replace it. So are files edited since kane wrote
 *    them, and all files where the file system has no extended attributes. Clip files need no mark: they contain what
 *    it states.
 * 2. The source counts in every format: an output of other clips, with another name and other content, or with the same
 *    name at another or unknown path, may not replace it. Nor may an output replace the source itself, an input of the
 *    same command (by inode) or a file of another kind.
 * 3. A clip may not replace a richer one of its source: a clip file with a group, such as /tracking, that it lacks.
 * 4. Symbolic links, folders, read-only files and hard links to inputs stay, even with `--force`, which permits the
 *    rest. Devices, pipes and linked folders are allowed.
 *
 * Commands apply the rule through pipeline/cli/output_file.h, libkane and the workers of a batch through this file. */
#ifndef KANE_CONTAINER_OUTPUT_RULE_H
#define KANE_CONTAINER_OUTPUT_RULE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/file_kind.h"

/* A file to be written, and its inputs. */
typedef struct OutputClaim {
    FileKind kind;
    const char *const *input; /* [input_count] paths that the command reads; missing files are ignored */
    int input_count;
    int forced;
    const Provenance *origin; /* of the clip that is written; NULL: no clip, or with made NULL not known yet */
    const Clip *clip;         /* that a clip file is to hold; NULL: not known yet */
    const char *path_hash;    /* path mark of its source; NULL or "": unknown */
    const char *made;         /* temporary path of the new file; NULL: not written yet, or a clip file */
} OutputClaim;

/* STATUS_OK if the output may be written to path. STATUS_USAGE if path is an input, STATUS_BAD_INPUT if an existing
 * file is protected; err does not have the path. Reads the beginning of an existing file, or the attributes of a clip
 * file. */
Status output_allowed(const char *path, const OutputClaim *claim, Error *err);

/* For files that are updated in place, such as an index: STATUS_BAD_INPUT if path is read-only, or a dangling symbolic
 * link, through which a file would be created elsewhere. */
Status output_updatable(const char *path, Error *err);

#endif
