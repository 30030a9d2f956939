/* A take as a reader returns it: what the file holds, in its own units and axes, with findings. clip_settle decides
 * what the file does not state and makes a clip of it.
 *
 * A take is complete without forces and markers: these become arrays here with the first reader that fills them, forces
 * for contact's plates, markers beside the motion (docs/design.md, "A format"). */
#ifndef KANE_DETECT_TAKE_H
#define KANE_DETECT_TAKE_H

#include <stdarg.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/quat.h"

/* What a file does not state: unit, up axis, frame rate, meaning of the positions and of the root offset, a fake first
 * frame. Decided from evidence, with a confidence, unless the def fixes it. */

/* The frames of a file: their rate, and whether the first of them is a pose that was put before the take. */

/* The rate in Hz of which frame_time (s) is the rounded or cut reciprocal: an exact whole rate first, then the rates in
 * use (24, 30, 60, 120, ..., and the television rates n * 1000 / 1001), then any whole rate, else 1 / frame_time. The
 * digits that were written are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a frame
 * time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

/* 1 where frame 0 is no part of the movement: the step from it to frame 1 is far larger than every step soon after, in
 * the joints on average, or in the root's turn or place. confidence in 0..1. Needs at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

/* What the files of one skeleton say together (family.h), each with its probability, as Evidence has them; 0: not
 * decided. */
typedef struct Family {
    double meters_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    PositionMeaning positions;
    double positions_confidence;
    NeutralAngles neutral; /* the pose in which a human's segments are measured */
    double neutral_confidence;
} Family;

/* A file that contradicts its family this surely keeps its own answer. */
#define FAMILY_DISSENT 0.95

typedef struct ImportGuessDef {
    double meters_per_unit;    /* 0: decide */
    UpAxis up;                 /* UP_AUTO: decide */
    double fps;                /* 0: decide from the frame time */
    RootOffset root_offset;    /* ROOT_OFFSET_AUTO: decide */
    PositionMeaning positions; /* POSITIONS_AUTO: decide */
    int keep_first_frame;      /* 1: never drop a fake first frame; default 0 */
    const Family *family;      /* answers where the file's own measurements do not contradict it; NULL: none */
} ImportGuessDef;

ImportGuessDef import_guess_default_def(void);

/* Each confidence in 0..1, the probability that the decision is right; 1 where a flag decided. */
typedef struct ImportGuess {
    double meters_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    double fps, frame_time, fps_confidence;
    RootOffset root_offset;
    double root_offset_confidence;
    PositionMeaning positions; /* of the joints below the root, as the file has them */
    double positions_confidence;
    int no_root_path; /* 1: the file does not contain where the body goes (positions.h) */
    int drop_first_frame;
    double first_frame_confidence;
    int overruled_unit, overruled_up, overruled_positions; /* 1: the family's answer took the place of another one */
    double stature, foot, speed; /* m and m/s, for a person to judge the unit by (unit.h); 0: not known */
} ImportGuess;

/* Decides what the position channels below the root mean, and makes places in the parents' axes of them, as Motion
 * holds them: to be called before import_guess_decide, with the raw channels in motion. */
Status import_guess_settle_positions(const ImportGuessDef *def, Skeleton *skeleton, Motion *motion,
                                     PositionDecision *out, Error *err);

/* Decides the rest from a skeleton (roles assigned) and motion in file units and file axes: motion->root_position holds
 * the raw channel values, motion->frame_time is the header's. root_channels_given is 0 where the root has no position
 * channels. out->positions are the caller's to set. STATUS_BAD_INPUT where the frames are too few per second to show a
 * movement, and no fps is given. */
Status import_guess_decide(const ImportGuessDef *def, const Skeleton *skeleton, const Motion *motion,
                           int root_channels_given, ImportGuess *out, Error *err);

/* The confidences alone, for a clip to keep. */
Decisions import_guess_confidence(const ImportGuess *e);

/* What was decided, a line each in the order of Decisions: "cm", "Y", "60", "replaced", "local", "kept". */
enum { EVIDENCE_VALUES_SIZE = 192 };
void import_guess_values(const ImportGuess *e, char text[EVIDENCE_VALUES_SIZE]);

/* One line for a person: "unit cm (0.98), up Y (0.99), 30 fps (1), root offset replaced (0.7)?, first frame kept (1)",
 * where '?' marks what is unsure. What is not usual follows: ", positions world (1)", ", no root path", and, where the
 * unit is unsure, the size that it makes of the body: ", a person of 1.14 m". */
void import_guess_describe(const ImportGuess *e, char *text, size_t size);

/* What is found wrong with a recording or its file: a kind, a place, a sentence.
 *
 * Kinds below FINDING_KIND_COUNT can be of any format; a format numbers kinds of its own from FINDING_KIND_COUNT on
 * (formats/source/source.h states what each means). */

typedef enum FindingKind {
    FINDING_UNREADABLE,
    FINDING_MANY, /* more findings than are kept */
    FINDING_FRAME_TIME,
    FINDING_ROW_TWICE,
    FINDING_ROW_FROZEN,
    FINDING_ROW_MISSING,
    FINDING_FIRST_FRAME,
    FINDING_EULER_FLIP,
    FINDING_UNIT,
    FINDING_UP,
    FINDING_POSITIONS,
    FINDING_ROOT_PATH,
    FINDING_TELEPORT,
    FINDING_FLIP,
    FINDING_FROZEN,
    FINDING_FLICKER,
    FINDING_DRIFT,
    FINDING_SLIDING,
    FINDING_SWAPPED,
    FINDING_REPEATED,
    FINDING_BONE,
    FINDING_FEET,
    FINDING_FAMILY,
    FINDING_KIND_COUNT
} FindingKind;

typedef struct FindingInfo {
    const char *name;    /* "euler-flip": for scripts */
    const char *meaning; /* one sentence for a person */
    int is_note;         /* 1: no result of kane depends on it */
    int is_refused;      /* 1: kane import refuses the file */
} FindingInfo;

/* Of a kind below FINDING_KIND_COUNT. Valid for the life of the program. */
const FindingInfo *finding_info(int kind);

/* The kind of an artifact of the motion (analysis/quality/artifact.h). */
FindingKind finding_of_artifact(TrustReason artifact);

/* In a text file line and column, 1-based; in a binary one line 0 and the byte, from 0. All 0: not known. */
typedef struct FilePlace {
    int line, column;
    long long byte;
} FilePlace;

typedef struct Finding {
    int kind;
    FilePlace at;
    int repaired; /* 1: a repair of the format did something about it */
    char text[160];
} Finding;

typedef struct Findings {
    int count;
    Finding *found; /* [count] owned */
} Findings;

#define FINDINGS_MOST 1000

/* Appends one; a text too long for its field is cut. The last of FINDINGS_MOST is FINDING_MANY; the rest is left out.
 * STATUS_NO_MEMORY is the only failure. */
Status findings_add(Findings *findings, int kind, FilePlace at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
Status findings_add_list(Findings *findings, int kind, FilePlace at, Error *err, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* Removes all of one kind. */
void findings_forget(Findings *findings, int kind);

int findings_have(const Findings *findings, int kind);

/* In the order of their places. */
void findings_sort(Findings *findings);

void findings_free(Findings *findings);

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
    double meters_per_unit; /* as the format defines it or the file states; 0: neither */
    UpAxis up;              /* the same; UP_AUTO: neither */

    ChannelRows rows;       /* the file's own numbers, NaN where unreadable; value NULL: not asked for, or no angles */
    EulerTurns *turns;      /* of rows; owned */

    Findings findings;      /* of the reader, then those of take_inspect (analysis/quality/artifacts.h) */

    /* Where something is in the file; all 0: not known. NULL: nothing is. */
    FilePlace (*where)(const Take *take, int frame, int joint, TakePart part);
    void *file;             /* what where, rows and a repair read; owned, freed by free_file */
    void (*free_file)(void *file);
};

void take_free(Take *take);

/* Decides what the file does not state and makes skeleton (with roles), motion and the provenance fields frame_time,
 * meters_per_unit, up_axis of *out, in m and +Y up: the root's offset is placed, a first frame that is none dropped,
 * units and axes applied. These leave the take, whatever the result; its rows, places and findings stay. decision (may
 * be NULL) receives what was decided, and how surely; title, source, sha256 and history are the caller's. */
Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
