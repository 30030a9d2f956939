/* Detects what a file does not state: unit, up axis, frame rate, meaning of the positions and of the root offset, an
 * extra first frame. Each detection has a confidence, unless the def sets the value. */
#ifndef KANE_DETECT_IMPORT_GUESS_H
#define KANE_DETECT_IMPORT_GUESS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/body/role_map.h"
#include "analysis/clip/decisions.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/root_position.h"
#include "analysis/detect/up_axis.h"
#include "analysis/detect/world_repair.h"
#include "analysis/evidence/motion_evidence.h"
#include "analysis/evidence/role_evidence.h"

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
    Level level;               /* what becomes of a world that leans */
    Handedness handedness;     /* of the file's axes */
    int swap_sides;            /* 1: left and right in the names are exchanged; default 0 */
    const RoleMap *roles;      /* roles that the user states; NULL or empty: none; not owned */
    int keep_belt;             /* 1: the path on a treadmill stays as recorded; default 0 */
    const Family *family;      /* decisions of the family, used unless the file's own measurements contradict them;
                                  NULL: none */
    const ImportGuess *known;  /* what was detected before of the same file with the same def; NULL: detect */
} ImportGuessDef;

ImportGuessDef import_guess_default_def(void);

/* Each confidence is the probability, 0..1, that the detection is correct; 1 if an option set the value. */
struct ImportGuess {
    double meters_per_unit, unit_confidence;
    Evidence unit_evidence; /* for the file's own answer; empty if an option or the format decides */
    UpAxis up;
    double up_confidence;
    Evidence up_evidence; /* the same */
    double fps, frame_time, fps_confidence;
    int rate_is_confirmed; /* 1: the user states the rate that the file states */
    int rate_is_unstated;  /* 1: the file states no frame rate; fps is a guess from the motion */
    Evidence guessed_rate; /* for that guess */
    RootOffset root_offset;
    double root_offset_confidence;
    PositionMeaning positions; /* of the joints below the root */
    double positions_confidence;
    int no_root_path; /* 1: the file lacks the path of the body (root_position.h) */
    int drop_first_frame;
    double first_frame_confidence;
    int overruled_unit, overruled_up, overruled_positions; /* 1: the family's answer replaced a different one */
    double stature, foot, speed; /* m and m/s, by which users can judge the unit (body_measures.h); 0: unknown */
    RoleSigns roles;              /* what names and shape show of the roles */
    int flipped_sides;            /* 1: left and right of the roles are exchanged because of the motion */
    RoleJudgement role_judgement; /* of the roles, with the motion */
    MotionEvidence motion;        /* what contradicts the file, in m and world axes */
    int is_levelled, belt_is_off; /* 1: the clip's motion has been changed */
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

/* "cm", or "0.37 m" for a unit without a name. */
enum { GUESS_UNIT_SIZE = 48 };
void import_guess_unit(const ImportGuess *e, char unit[GUESS_UNIT_SIZE]);

/* Writes one line for users: "detected cm (98 %), Y up (>99 %), 30 fps (>99 %), root offset replaced (70 %), first
 * frame kept (98 %)". Unusual results follow: ", positions world (97 %)", ", as other clips of its skeleton: unit", ",
 * joint names of Mixamo", ", the root does not translate", and if the confidence of the unit is low, the body size:
 * ", stature 1.14 m". */
void import_guess_describe(const ImportGuess *e, char *text, size_t size);

/* Takes def->known instead of detecting: positions are converted as it says. Where it agrees with a family that is
 * decided since, that may increase a low confidence. */
Status import_guess_recall(const ImportGuessDef *def, Skeleton *skeleton, Motion *motion, ImportGuess *out, Error *err);

#endif
