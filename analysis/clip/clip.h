/* A clip: the contents of a clip file, with one member per group.
 *
 * A stage fills the next group from the earlier ones. The has_* members mark the groups that are present. */
#ifndef KANE_CLIP_CLIP_H
#define KANE_CLIP_CLIP_H

#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/decisions.h"
#include "analysis/clip/dofs.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/clip/markers.h"
#include "analysis/clip/retarget_score.h"
#include "analysis/clip/shapes.h"
#include "analysis/clip/simulation.h"
#include "analysis/clip/tracking.h"
#include "analysis/clip/trust.h"

/* Origin of the clip and its processing: the root attributes of a clip file. */
typedef struct Provenance {
    char kane_version[24];  /* of the program that wrote the clip file; "": the clip was not read from one */
    int is_lean;            /* 1: read from a clip file that leaves out what can be computed again */
    char *title;            /* owned; base name of the source without its suffix */
    char *source;           /* owned; base name of the source file */
    char source_sha256[65]; /* hexadecimal, "" where unknown */
    double frame_time;      /* s, of the source as detected */
    double meters_per_unit; /* of the source as detected */
    char up_axis[4];        /* of the source as detected: "X" "Y" "Z" "-X" "-Y" "-Z" */
    Decisions confidence;   /* of the detections */
    char *history;          /* owned; one line per stage: command and resolved options, '\n' between lines */
    char *decisions;        /* owned; one line per detection in the order of Decisions; NULL: unknown */
    char *evidence;         /* owned; what was decided and why (analysis/evidence/judgement.h); NULL: unknown */
    char *warnings;         /* owned; one line each, "kind: text" (clip_add_warning); NULL: none */
} Provenance;

typedef struct Clip {
    Provenance provenance;
    Skeleton skeleton;
    Motion motion;
    int has_trust, has_dof, has_body, has_kinematics, has_contact, has_dynamics, has_angles, has_retarget;
    int has_simulation, has_particles, has_shapes, has_markers, has_tracking;
    Trust trust; /* absent: no quality check has run */
    Dofs dof;    /* absent: every joint is a ball joint, as in motion capture */
    Body body;
    Kinematics kinematics;
    Contact contact;
    Dynamics dynamics;
    JointAngles angles;
    RetargetScore retarget; /* metrics of the retargeting to this skeleton */
    Simulation simulation;   /* of a simulated scene */
    ParticleTrack particles; /* of its particles */
    Shapes shapes;           /* of its bodies, springs and tendons */
    Markers markers;         /* of the C3D file with the measured forces */
    Tracking tracking;
} Clip;

/* A view of skeleton and motion, and of body and kinematics if present. */
static inline ClipView clip_view(const Clip *c)
{
    const Body *body = c->has_body ? &c->body : NULL;
    return (ClipView){&c->skeleton, body, &c->motion, c->has_kinematics ? &c->kinematics : NULL};
}

/* (Clip){0} is an empty clip; clip_free leaves one. */
void clip_free(Clip *c);

/* Sets title and source from the path of the source file, without directories. */
Status clip_set_source(Clip *c, const char *path, Error *err);

/* Appends a warning about something unusual that was accepted. kind is one word, such as "offset". Only the first
 * WARNINGS_OF_A_KIND of a kind are kept; then one line states that there are more. */
enum { WARNINGS_OF_A_KIND = 10 };
Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err);

/* Whether a warning of this kind with exactly this text (without newlines) exists. */
int clip_has_warning(const Clip *c, const char *kind, const char *text);

/* Whether a warning of this kind exists. */
int clip_has_warning_kind(const Clip *c, const char *kind);

/* Removes the warnings of a kind, before the same check runs again. */
void clip_drop_warnings(Clip *c, const char *kind);

/* Appends one history line (no newline in it). */
Status clip_add_history(Clip *c, const char *line, Error *err);

/* The parts of a clip in the order in which they are computed, as bits of a set. */
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
    CLIP_ANGLES = 1 << 10,
    CLIP_SHAPES = 1 << 11,
    CLIP_MARKERS = 1 << 12, /* of the file with the measured forces */
    CLIP_ALWAYS = CLIP_SKELETON | CLIP_MOTION /* present in every clip */
} ClipGroup;

/* Name in a clip file, such as "body". */
const char *clip_group_name(ClipGroup group);

/* clip_groups: the set of present groups. clip_computed_from: the groups that are computed from those of a set. */
unsigned clip_groups(const Clip *c);
unsigned clip_computed_from(unsigned groups);

/* Marks groups as present (has_*). */
void clip_hold(Clip *c, unsigned groups);

/* Frames that statistics and indexes use. */
typedef enum FrameChoice {
    FRAMES_TRUSTED = 0, /* valid and not flagged; without /trust as FRAMES_VALID */
    FRAMES_VALID,       /* every frame whose kinematics are valid */
    FRAMES_SOUND,       /* valid, without a flag of TRUST_RECORDING: statistics of the index */
} FrameChoice;

/* Flags for which a choice leaves out a frame or joint. */
static inline uint32_t frame_choice_flags(FrameChoice choice)
{
    return choice == FRAMES_VALID ? 0 : choice == FRAMES_SOUND ? TRUST_RECORDING : ~UINT32_C(0);
}

/* Whether statistics may use the frame; 0 without kinematics. */
static inline int clip_counts_frame(const Clip *c, int frame, FrameChoice choice)
{
    return c->has_kinematics && c->kinematics.valid[frame] &&
           !(c->has_trust && (c->trust.reason[frame] & frame_choice_flags(choice)));
}

/* The same for one joint in the frame. */
static inline int clip_counts_joint(const Clip *c, int frame, int joint, FrameChoice choice)
{
    return clip_counts_frame(c, frame, choice) &&
           !(c->has_trust && (trust_joint_reason(&c->trust, frame, joint) & frame_choice_flags(choice)));
}

/* Frees the groups and everything computed from them; for CLIP_ALWAYS only the latter. */
void clip_drop(Clip *c, unsigned groups);

/* Copies those of the groups that are present (trust with the motion, degrees of freedom with the skeleton), without
 * provenance. On failure *out is empty. */
Status clip_copy(const Clip *from, unsigned groups, Clip *out, Error *err);

/* Keeps frames first to first + count - 1, which must exist, of every array over frames. The steps of /tracking do not
 * change. Frame numbers in /retarget are renumbered. */
void clip_keep_frames(Clip *clip, int first, int count);

#endif
