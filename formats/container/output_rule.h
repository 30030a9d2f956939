/* What a file that is made may take the place of: nothing of somebody's is written over by accident.
 *
 * An output may not be an input of the same command, by inode; not another kind of file; not the source itself; not a
 * container or a BVH that came from another source: one of another name and other bytes, or of the same name in another
 * place (output_rule.h) or of a place that is not known. Of a BVH file the source is known where it has kane's mark;
 * one without may only be replaced by the same bytes. Tables, pictures and pages are replaced where they have kane's
 * mark; one without by the same bytes, a table also by one of the same columns, and where a file system keeps no marks,
 * what is no text by its kind. A symbolic link as its name is refused, because
 * a rename would take the link away; devices, pipes and linked folders are fine. `--force` allows all but links and
 * folders.
 * Every verb asks through pipeline/cli/output.h, libkane and the workers of a batch through here. */
#ifndef KANE_CONTAINER_OUTPUT_RULE_H
#define KANE_CONTAINER_OUTPUT_RULE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/source/source.h"

/* What kane notes on a file that it writes: whose clip it holds. The notes are extended attributes of the file; file
 * systems without such keep none.
 *
 * A BVH names no source and has no comments, so its note states all, with the digest of the bytes that it describes:
 * who edits the file or copies it has one without. Tables, pictures and pages have the same: it divides them from what
 * a person made. A container names its source, but not where that lies, as its bytes do not depend on it: the path
 * distinguishes a source that was edited from another file of the same name. */

#define ORIGIN_MARK "user.kane.origin" /* "content digest, source digest, source": a space between them */
#define PLACE_MARK "user.kane.place"   /* of both kinds */
#define PLACE_SIZE 17

typedef struct OriginMark {
    char source_sha256[DIGEST_SIZE]; /* "" where unknown */
    char source[256];                /* base name; "" where unknown */
} OriginMark;

/* Marks a finished file; nothing where that is not possible. origin NULL: it holds no clip. */
void origin_mark_put(const char *path, const Provenance *origin);

typedef enum OriginMarkState {
    ORIGIN_MARK_NONE,
    ORIGIN_MARK_IMPOSSIBLE, /* none, and the file system keeps no marks */
    ORIGIN_MARK_LAPSED,     /* of other bytes than the file holds: it was changed since */
    ORIGIN_MARK_GOOD,
} OriginMarkState;

/* *mark is filled where it is good. */
OriginMarkState origin_mark_get(const char *path, OriginMark *mark);

/* The mark of a place: 16 hexadecimal digits, XXH64 of the absolute path without symbolic links. "" where there is no
 * such file. */
void source_place_of(const char *path, char place[PLACE_SIZE]);

/* Marks an open file with the place of its source; nothing where that is unknown or not possible. */
void source_place_put(int descriptor, const char *place);

/* The mark of the file at path; "" where it has none. */
void source_place_get(const char *path, char place[PLACE_SIZE]);

/* What is about to be made, and from what. */
typedef struct OutputClaim {
    FileKind kind;
    const char *const *input; /* [input_count] paths that the command reads; what is not there is passed over */
    int input_count;
    int forced;
    const Provenance *origin; /* of the clip that is written; NULL: not known yet, or no clip's */
    const char *place;        /* of its source (output_rule.h); NULL or "": not known */
    const char *made;         /* path of the new file before it gets its name; NULL: not made yet, or a container */
} OutputClaim;

/* STATUS_OK where a file of this claim may have the path. STATUS_USAGE where it is an input, STATUS_BAD_INPUT for what
 * is in the way; err does not name the path. Reads the beginning of what is there, of a container its attributes. */
Status output_allowed(const char *path, const OutputClaim *claim, Error *err);

/* For what is updated in its place, as an index is: STATUS_BAD_INPUT where the path is a symbolic link to nothing,
 * through which a file would be made elsewhere. */
Status output_leads_somewhere(const char *path, Error *err);

/* Storing containers: the only way in which one gets its name. What it may take the place of, output_rule.h states. A
 * container appears under its name when it is whole and on disk;
 * until then it has a temporary one. */

/* Whether a container may take the place of what path names, whatever it was made of: nothing, an empty file, a
 * container of kane's, whole or cut off, or a device. Anything else is somebody's work: STATUS_BAD_INPUT. */
Status container_may_replace(const char *path, Error *err);

/* Stores the clip at path: written, synced, renamed. On failure what was there is there still. */
Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err);

/* The same up to sync and name, for who does these later or for many at once: new_file_commit does both, new_file_leave
 * leaves them to another process. The caller has asked output_allowed. temporary is the name until then; NULL: beside
 * path. */
Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err);

#endif
