/* A take as a reader returns it: the contents of a file in its own units and axes, with findings. clip_settle detects
 * what the file does not state and makes a clip.
 *
 * Forces and markers are not part of a take; the first reader of either will add an array here (docs/design.md, "A
 * format"). */
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
#include "analysis/math/euler.h"

/* Detects what a file does not state: unit, up axis, frame rate, meaning of the positions and of the root offset, an
 * extra first frame. Each detection has a confidence, unless the def sets the value. */

/* Frame rate, and whether the first frame is a pose placed before the take. */

/* The rate in Hz whose rounded or truncated reciprocal is frame_time (s): first an exact integer rate, then the rates
 * in use (24, 30, 60, 120, ..., and the broadcast rates n * 1000 / 1001), then any integer rate, otherwise 1 /
 * frame_time. The written digits are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a
 * frame time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

/* Returns 1 if frame 0 does not belong to the movement: the step to frame 1 is far larger than every following one, in
 * the joints on average, or in the root's rotation or position. confidence in 0..1. Requires at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

/* Decisions for the files of one skeleton (family.h) with their confidences, as in ImportGuess; confidence 0: not
 * decided. */
typedef struct Family {
    double meters_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    PositionMeaning positions;
    double positions_confidence;
    NeutralAngles neutral; /* pose in which a human's segments are measured */
    double neutral_confidence;
} Family;

/* A file that contradicts its family with this confidence keeps its own detection. */
#define FAMILY_DISSENT 0.95

typedef struct ImportGuess ImportGuess;

typedef struct ImportGuessDef {
    double meters_per_unit;    /* 0: detect */
    UpAxis up;                 /* UP_AUTO: detect */
    double fps;                /* 0: detect from the frame time */
    RootOffset root_offset;    /* ROOT_OFFSET_AUTO: detect */
    PositionMeaning positions; /* POSITIONS_AUTO: detect */
    int keep_first_frame;      /* 1: never drop an extra first frame; default 0 */
    const Family *family;      /* decisions of the family, used unless the file's own measurements contradict them;
                                  NULL: none */
    const ImportGuess *known;  /* what was detected before of the same file with the same def; NULL: detect */
} ImportGuessDef;

ImportGuessDef import_guess_default_def(void);

/* Each confidence is the probability, 0..1, that the detection is correct; 1 if an option set the value. */
struct ImportGuess {
    double meters_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    double fps, frame_time, fps_confidence;
    RootOffset root_offset;
    double root_offset_confidence;
    PositionMeaning positions; /* of the joints below the root */
    double positions_confidence;
    int no_root_path; /* 1: the file lacks the path of the body (positions.h) */
    int drop_first_frame;
    double first_frame_confidence;
    int overruled_unit, overruled_up, overruled_positions; /* 1: the family's answer replaced a different one */
    double stature, foot, speed; /* m and m/s, by which users can judge the unit (unit.h); 0: unknown */
};

/* Detects the meaning of the position channels below the root and converts them to positions in the parents' axes, as
 * in Motion. Call it before import_guess_decide, with the raw channels in motion. */
Status import_guess_settle_positions(const ImportGuessDef *def, Skeleton *skeleton, Motion *motion,
                                     PositionDecision *out, Error *err);

/* Detects the rest from a skeleton (roles assigned) and motion in file units and axes: motion->root_position contains
 * the raw channel values, motion->frame_time is that of the header. root_channels_given 0: the root has no position
 * channels. The caller sets out->positions. STATUS_BAD_INPUT if the frame rate is too low to show a movement and no fps
 * is given. */
Status import_guess_decide(const ImportGuessDef *def, const Skeleton *skeleton, const Motion *motion,
                           int root_channels_given, ImportGuess *out, Error *err);

/* The confidences, for the clip's provenance. */
Decisions import_guess_confidence(const ImportGuess *e);

/* The detected values, one per line in the order of Decisions: "cm", "Y", "60", "replaced", "local", "kept". */
enum { GUESS_VALUES_SIZE = 192 };
void import_guess_values(const ImportGuess *e, char text[GUESS_VALUES_SIZE]);

/* Writes one line for users: "detected cm (98 %), Y up (>99 %), 30 fps (>99 %), root offset replaced (70 %), first
 * frame kept (98 %)". Unusual results follow: ", positions world (97 %)", ", as other clips of its skeleton: unit", ",
 * the root does not translate", and if the confidence of the unit is low, the body size: ", stature 1.14 m". */
void import_guess_describe(const ImportGuess *e, char *text, size_t size);

/* Findings of a recording or its file: kind, position and text.
 *
 * Kinds below FINDING_KIND_COUNT occur in any format; a format numbers its own kinds from FINDING_KIND_COUNT on
 * (formats/base/source_format.h: SourceFormat.kinds). */

typedef enum FindingKind {
    FINDING_UNREADABLE,
    FINDING_MANY, /* more findings than are stored */
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
    const char *meaning; /* one sentence for users */
    int is_note;         /* 1: no result of kane depends on it */
    int is_refused;      /* 1: kane import rejects the file */
} FindingInfo;

/* Information on a kind below FINDING_KIND_COUNT. Static storage. */
const FindingInfo *finding_info(int kind);

/* The kind for an artifact of the motion (analysis/quality/artifacts.h). */
FindingKind finding_of_artifact(TrustReason artifact);

/* Text files: line and column, from 1; binary files: line 0 and the byte, from 0. All 0: unknown. */
typedef struct FileLocation {
    int line, column;
    long long byte;
} FileLocation;

typedef struct Finding {
    int kind;
    FileLocation at;
    int repaired; /* 1: the format's repair changed it */
    char text[160];
} Finding;

typedef struct Findings {
    int count;
    Finding *found; /* [count] owned */
} Findings;

#define FINDINGS_MOST 1000

/* Appends a finding; a text too long is truncated. The last of FINDINGS_MOST is FINDING_MANY; further ones are dropped.
 * STATUS_NO_MEMORY is the only failure. */
Status findings_add(Findings *findings, int kind, FileLocation at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
Status findings_add_list(Findings *findings, int kind, FileLocation at, Error *err, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* findings_forget removes all findings of a kind; findings_have returns whether there is one. */
void findings_forget(Findings *findings, int kind);

int findings_have(const Findings *findings, int kind);

/* Sorts by position in the file. */
void findings_sort(Findings *findings);

void findings_free(Findings *findings);

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
 * meters_per_unit, up_axis of *out, in m and +Y up: applies the root's offset, drops an extra first frame, converts
 * units and axes. Skeleton and motion are moved out of the take in any case; its rows, positions and findings stay.
 * decision (or NULL) receives the detections with their confidences. The caller sets title, source, sha256 and
 * history. */
Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
