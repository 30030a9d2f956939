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
#include "formats/base/file_kind.h"

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

#endif
