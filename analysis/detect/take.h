/* A take as a reader returns it: the contents of a file in its own units and axes, with findings. clip_settle detects
 * what the file does not state and makes a clip.
 *
 * Forces and markers are not part of a take; the first reader of either will add an array here (docs/design.md, "A
 * format"). */
#ifndef KANE_DETECT_TAKE_H
#define KANE_DETECT_TAKE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/findings.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/euler.h"

/* The part of the file whose position is requested. */
typedef enum TakePart {
    TAKE_WHOLE,    /* all values of a joint, or of a frame */
    TAKE_ROTATION,
    TAKE_POSITION,
    TAKE_RATE      /* the frame time */
} TakePart;

/* Without a frame: the declaration of the joint; without a joint: the row of the frame. */
enum { TAKE_NO_FRAME = -1, TAKE_ALL_JOINTS = -1 };

typedef struct Take Take;
struct Take {
    char *name;             /* of the take in its file, as clean UTF-8; NULL: none. Owned */
    Skeleton skeleton;      /* lengths in file units; roles need not be set */
    Motion motion;          /* root_position and translation as in the file's channels; translation NULL, or the
                               offset where a joint has no channel. frame_time as written, 0: unknown */
    int root_given[3];      /* [axis] 1: root_position has values of the file; 0: the root's offset applies */
    double digits;          /* file units: translations closer to the offset than this are rounding of its digits */
    double meters_per_unit; /* as defined by the format or stated by the file; 0: neither */
    UpAxis up;              /* the same; UP_AUTO: neither */
    double start;           /* s, time of the first frame */
    int is_timed;           /* 1: each row has its time, so that none is lost unseen */

    int has_body, has_dof;  /* 1: the file has masses, degrees of freedom of its joints; both in m, +Y up */
    Body body;
    Dofs dof;

    ChannelRows rows;         /* the file's own numbers, NaN where unreadable; value NULL: not read, or no angles */
    EulerChannels *rotations; /* of rows; owned */

    Findings findings;      /* of the reader, then those of take_inspect (analysis/quality/take_findings.h) */

    /* Position of something in the file; all 0: unknown. NULL: positions are unknown. */
    FileLocation (*where)(const Take *take, int frame, int joint, TakePart part);
    void *file;             /* data of where, rows and a repair; owned, freed by free_file */
    void (*free_file)(void *file);
};

void take_free(Take *take);

/* Detects what the file does not state and sets skeleton (with roles), motion and the provenance fields frame_time,
 * meters_per_unit, up_axis, confidence and evidence of *out, in m and +Y up: applies the root's offset, drops an extra
 * first frame, converts units and axes, takes the belt's speed off a treadmill, and levels the world and repairs the
 * sides if the def says so. Skeleton and motion are moved out of the take in any case; its rows, positions and findings
 * stay. decision (or NULL) receives the detections with their confidences. The caller sets title, source, sha256 and
 * history. */
Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
