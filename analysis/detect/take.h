/* A take as a reader returns it: what the file holds, in its own units and axes. clip_settle makes a clip of it.
 *
 * A take is complete without forces and markers: these become arrays here with the first reader that fills them, forces
 * for contact's plates, markers beside the motion (docs/design.md, "A format"). */
#ifndef KANE_DETECT_TAKE_H
#define KANE_DETECT_TAKE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/finding.h"
#include "analysis/detect/import_guess.h"
#include "analysis/motion/euler.h"

/* What a place in the file is asked for. */
typedef enum TakePart {
    TAKE_WHOLE,    /* all values of a joint, or of a frame */
    TAKE_ROTATION,
    TAKE_POSITION,
    TAKE_RATE      /* where the file gives the time of a frame */
} TakePart;

/* A joint of no frame is where the file declares it; a frame of no joint is its row. */
enum { TAKE_NO_FRAME = -1, TAKE_ALL_JOINTS = -1 };

typedef struct Take Take;
struct Take {
    char *name;             /* of the take in its file, as clean UTF-8; NULL: it has none. Owned */
    Skeleton skeleton;      /* lengths in file units; roles are not needed */
    Motion motion;          /* root_position and translation as the file's channels hold them; translation NULL, or the
                               offset where a joint has no channel. frame_time as written, 0: not known */
    int root_given[3];      /* [axis] 1: root_position has values of the file; else 0 and the root's offset counts */
    double digits;          /* file units: translations this near to the offset are the rounding of its digits */
    double metres_per_unit; /* as the format defines it or the file says; 0: neither */
    UpAxis up;              /* the same; UP_AUTO: neither */
    double mass;            /* kg, of the subject as the file says; 0: it does not */

    ChannelRows rows;       /* the file's own numbers, NaN where unreadable; value NULL: not asked for, or no angles */
    EulerTurns *turns;      /* of rows; owned */

    Findings findings;      /* of the reader, then those of take_inspect (analysis/quality/artifacts.h) */

    /* Where something is in the file; all 0: not known. NULL: nothing is. */
    FilePlace (*where)(const Take *take, int frame, int joint, TakePart part);
    void *file;             /* what where, rows and a repair read; owned, freed by free_file */
    void (*free_file)(void *file);
};

void take_free(Take *take);

/* Decides what the file does not say and makes skeleton (with roles), motion and the provenance fields frame_time,
 * metres_per_unit, up_axis of *out, in m and +Y up: the root's offset is placed, a first frame that is none dropped,
 * units and axes applied. These leave the take, whatever the result; its rows, places and findings stay. decision (may
 * be NULL) receives what was decided, and how surely; title, source, sha256 and history are the caller's. */
Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
