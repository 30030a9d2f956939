/* What a file that is made may take the place of: nothing of somebody's is written over by accident.
 *
 * An output may not be an input of the same command, by inode; not another kind of file; not the source itself; not a
 * container or a BVH that came from another source: one of another name and other bytes, or of the same name in another
 * place (origin_mark.h) or of a place that is not known. Of a BVH file the source is known where it bears kane's mark;
 * one without may only be replaced by the same bytes. Tables, pictures and pages are replaced where they have kane's
 * mark; one without by the same bytes, a table also by one of the same columns, and where a file system keeps no marks,
 * what is no text by its kind. A symbolic link as its name is refused, because
 * a rename would take the link away; devices, pipes and linked folders are fine. `--force` allows all but links and
 * folders.
 * Every verb asks through pipeline/cli/output_file.h, libkane and the workers of a batch through here. */
#ifndef KANE_FORMATS_CONTAINER_OUTPUT_RULE_H
#define KANE_FORMATS_CONTAINER_OUTPUT_RULE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/file_kind.h"

/* What is about to be made, and from what. */
typedef struct OutputClaim {
    FileKind kind;
    const char *const *input; /* [input_count] paths that the command reads; what is not there is passed over */
    int input_count;
    int forced;
    const Provenance *origin; /* of the clip that is written; NULL: not known yet, or no clip's */
    const char *place;        /* of its source (origin_mark.h); NULL or "": not known */
    const char *made;         /* path of the new file before it gets its name; NULL: not made yet, or a container */
} OutputClaim;

/* STATUS_OK where a file of this claim may have the path. STATUS_USAGE where it is an input, STATUS_BAD_INPUT for what
 * is in the way; err does not name the path. Reads the beginning of what is there, of a container its attributes. */
Status output_allowed(const char *path, const OutputClaim *claim, Error *err);

/* For what is updated in its place, as an index is: STATUS_BAD_INPUT where the path is a symbolic link to nothing,
 * through which a file would be made elsewhere. */
Status output_leads_somewhere(const char *path, Error *err);

#endif
