/* A clip: everything a container holds, one member a group.
 *
 * A stage fills the next group from the earlier ones. has_* say which groups are there. */
#ifndef KANE_CLIP_CLIP_H
#define KANE_CLIP_CLIP_H

#include "analysis/clip/anatomy.h"
#include "analysis/clip/clip_view.h" /* skeleton, body, motion, kinematics */
#include "analysis/clip/contact.h"
#include "analysis/clip/decisions.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/retarget_score.h"
#include "analysis/clip/simulation.h"
#include "analysis/clip/tracking.h"
#include "analysis/clip/trust.h"

/* Where the clip comes from and what was done to it: the root attributes of a container. */
typedef struct Provenance {
    char *title;            /* owned; base name of the source without its suffix */
    char *source;           /* owned; base name of the source file */
    char source_sha256[65]; /* hexadecimal, "" where unknown */
    double frame_time;      /* s, of the source as decided */
    double metres_per_unit; /* of the source as decided */
    char up_axis[4];        /* of the source as decided: "X" "Y" "Z" "-X" "-Y" "-Z" */
    Decisions confidence;   /* of what was decided */
    char *history;          /* owned; one line a stage: verb and resolved options, '\n' between lines */
    char *decisions;        /* owned; what was decided, a line each in the order of Decisions; NULL: not known */
    char *warnings;         /* owned; a line each, "kind: words" (clip_add_warning); NULL: none */
} Provenance;

typedef struct Clip {
    Provenance provenance;
    Skeleton skeleton;
    Motion motion;
    int has_trust, has_body, has_kinematics, has_contact, has_dynamics, has_anatomy, has_retarget;
    int has_simulation, has_particles, has_tracking;
    Trust trust; /* not there: nobody has judged the clip */
    Body body;
    Kinematics kinematics;
    Contact contact;
    Dynamics dynamics;
    Anatomy anatomy;
    RetargetScore retarget; /* how well the motion was put on this skeleton */
    Simulation simulation;   /* of a scene that was simulated */
    ParticleTrack particles; /* of its particles */
    Tracking tracking;
} Clip;

/* To read skeleton and motion, and body and kinematics where the clip has them. */
static inline ClipView clip_view(const Clip *c)
{
    const Body *body = c->has_body ? &c->body : NULL;
    return (ClipView){&c->skeleton, body, &c->motion, c->has_kinematics ? &c->kinematics : NULL};
}

/* *c = (Clip){0} is an empty clip; free makes it one again. */
void clip_free(Clip *c);

/* Sets title and source from the path of the source file (directories are cut). */
Status clip_set_source(Clip *c, const char *path, Error *err);

/* Appends a warning: what was read or found although it is odd. kind is one word, such as "offset"; of a kind the first
 * WARNINGS_OF_A_KIND are kept, then one line says that there are more. */
enum { WARNINGS_OF_A_KIND = 10 };
Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err);

/* Whether a warning of this kind with this very text, which has no line ends, is there. */
int clip_has_warning(const Clip *c, const char *kind, const char *text);

/* Takes the warnings of a kind away, before who warns looks again. */
void clip_drop_warnings(Clip *c, const char *kind);

/* Appends one history line (no newline in it). */
Status clip_add_history(Clip *c, const char *line, Error *err);

/* The parts of a clip, in the order in which they are computed; as bits, of which several make a set. */
typedef enum ClipGroup {
    CLIP_SKELETON = 1 << 0,
    CLIP_MOTION = 1 << 1,
    CLIP_RETARGET = 1 << 2,
    CLIP_BODY = 1 << 3,
    CLIP_KINEMATICS = 1 << 4,
    CLIP_CONTACT = 1 << 5,
    CLIP_DYNAMICS = 1 << 6,
    CLIP_TRACKING = 1 << 7,
    CLIP_SIMULATION = 1 << 8,
    CLIP_PARTICLES = 1 << 9,
    CLIP_ANATOMY = 1 << 10,
    CLIP_ALWAYS = CLIP_SKELETON | CLIP_MOTION /* what no clip is without */
} ClipGroup;

/* Name in a container, "/body". */
const char *clip_group_name(ClipGroup group);

/* The set of groups that are there, and the one that goes where a group of a set changes: what is computed from it. */
unsigned clip_groups(const Clip *c);
unsigned clip_computed_from(unsigned groups);

/* Says that groups are there (has_*). */
void clip_hold(Clip *c, unsigned groups);

/* What may be told of a frame: everything, or nothing. */
typedef enum FrameChoice {
    FRAMES_TRUSTED = 0, /* valid, and nothing speaks against it; of a clip that nobody has judged: FRAMES_VALID */
    FRAMES_VALID,       /* every frame whose kinematics are valid */
} FrameChoice;

/* 1 where figures may rest on the frame; 0 without kinematics. */
static inline int clip_counts_frame(const Clip *c, int frame, FrameChoice choice)
{
    return c->has_kinematics && c->kinematics.valid[frame] &&
           (choice == FRAMES_VALID || !c->has_trust || c->trust.trusted[frame]);
}

/* The same of one joint in the frame. */
static inline int clip_counts_joint(const Clip *c, int frame, int joint, FrameChoice choice)
{
    return clip_counts_frame(c, frame, choice) &&
           (choice == FRAMES_VALID || !c->has_trust || trust_joint_reason(&c->trust, frame, joint) == 0);
}

/* Frees these groups and everything that is computed from them; of CLIP_ALWAYS only the latter. */
void clip_drop(Clip *c, unsigned groups);

#endif
