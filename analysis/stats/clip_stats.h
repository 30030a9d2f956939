/* Everything the index keeps of a clip: computed once, self-contained, small.
 *
 * From frames of the choice, an index from FRAMES_TRUSTED; a clip of one frame or none, without dynamics or without
 * contact is fine: what cannot be known is NaN. A batch worker sends it to the process that owns the database as one
 * flat buffer. */
#ifndef KANE_STATS_CLIP_STATS_H
#define KANE_STATS_CLIP_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/motion_features.h"

/* Where a clip goes, and how well the feet of its source stand on the ground. */

/* NaN where it cannot be known. Of the frames to trust; the ground is that of /contact. */
typedef struct Travel {
    double distance_m;          /* way of the centre of mass (without a body: of the root) along the ground */
    double speed_mean_m_s, speed_peak_m_s; /* of that way */
    double foot_slide_cm_s;     /* mean speed along the ground of contact points whose state is above one half */
    double foot_penetration_cm; /* deepest of these points below the ground; 0: none lies below */
} Travel;

Travel travel_measure(const Clip *clip, const JointSeries *series);

/* A curve in 16 bits a value: a whole number of steps, 65,534 of them the largest value. What is not known is 65,535.
 * What a question compares with a limit rounds up, so that an answer errs on the safe side; a mean rounds to the
 * nearest. Bytes are little-endian. */

#define COARSE_MOST 65534
#define COARSE_UNKNOWN 65535

typedef enum CoarseRounding { COARSE_UP, COARSE_NEAREST } CoarseRounding;

/* Fills bytes[2 * count] from values >= 0 or NaN; returns the step, above zero. Value i is about step times the number
 * at byte 2 i: of COARSE_UP never below the value, and less than a step above. */
double quantized_curve_pack(const float *value, size_t count, CoarseRounding rounding, unsigned char *bytes);

static inline unsigned quantized_curve_at(const unsigned char *bytes, size_t i)
{
    return (unsigned)bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
}

/* The statistics of the clip as a whole. */
typedef struct ClipFigures {
    double fps;         /* 1/s */
    int frames;
    int valid_frames;   /* frames the statistics rest on */
    double trusted_fraction; /* of the frames that plates see, or of all; NaN where nobody has judged the clip */
    char untrusted_reason[24]; /* flag of most frames, edge only where there is no other; "": none */
    double duration_s;  /* s, frames / fps */
    double mass_kg;     /* NaN without a body */
    double stature_m;   /* NaN where unknown */
    double residual_force_rms_bw;     /* body weights */
    double residual_torque_rms_nm_kg; /* Nm/kg */
    double root_residual_force_rms_bw; /* at the root in kane track; NaN where nothing was tracked */
    double root_residual_torque_rms_nm_kg;
    double unit_confidence;      /* that import decided the unit rightly; NaN where that is not known */
    double decision_confidence;  /* the least of import's decisions */
    double start_s;              /* time of the first frame, source time */
    double source_fps, meters_per_unit; /* of the source, as decided by import */
    double rate_confidence, up_axis_confidence;
    char up_axis[4];             /* of the source, as decided: "Y", "-Z" */
    double peak_event_nm_kg;     /* largest torque peak of the events; NaN without one */
    double peak_event_low_nm_kg; /* largest torque_low of them */
    Travel travel;
    double positive_work_j_kg;          /* positive work of the joints per kg of the body */
    double positive_work_j_kg_m;        /* the same per metre; NaN for who stays in place */
    double flight_s;             /* s; NaN without contact points */
    double contact_confidence;   /* 0 .. 1, mean; NaN without contact points */
    double presumed_support_s;   /* s of all frames with an unrecorded seat or rail; NaN without points */
    double off_plates_s;         /* s of all frames with TRUST_OFF_PLATES; NaN where nobody has judged the clip */
    RetargetScore retarget;      /* NaN where the motion is its own skeleton's */
    int hardest_joint;           /* joint with the largest torque, helpers and the floating base apart; -1: none */
    char skeleton[17];           /* 16 hexadecimal digits of joint names and parents: equal hierarchies are equal */
    char source_sha256[65];      /* "" where unknown */
    char unsure[DECISIONS_TEXT_SIZE]; /* decisions of import to look at, by name; "" where none is */
} ClipFigures;

/* The numbers of ClipFigures by name, hardest_joint apart. */
FigureList clip_figures(void);

typedef struct JointStat {
    size_t name;    /* offset into text */
    int parent;     /* -1: root */
    Role role;      /* ROLE_NONE: creature joints, fingers, ends */
    Role segment;   /* that it moves with; ROLE_NONE: that of its role */
    double mass_kg; /* NaN without a body */
    JointPeaks peaks;
} JointStat;

/* What a degree of freedom of a model did, over the frames of the choice: rad or m, of efforts Nm or N. NaN where it
 * is not known. */
typedef struct DofStat {
    size_t name;   /* offset into text */
    int joint;
    char kind[16]; /* "hinge" */
    double position_min, position_max;
    double speed_peak;            /* rad/s or m/s */
    double effort_peak;           /* largest size */
    double effort_rms;
    double power_peak_w;          /* W, positive generates */
    double work_pos_j;            /* J, integral of the positive power */
    double range_fraction_max;    /* 0 in the middle of its range, 1 at an end, above 1 beyond it */
    double speed_limit_fraction;  /* speed_peak over its limit */
    double effort_limit_fraction; /* largest effort over the limit on its side */
} DofStat;

/* The numbers of DofStat by name. */
FigureList dof_figures(void);

/* Strength utilization over time: the largest of the coordinates of trusted joints, and whose it is. */
typedef struct Utilization {
    int frame_count;     /* of the clip; 0: not known */
    float *largest;      /* [frame] owned; 0: none is known */
    unsigned char *role; /* [frame] owned; a Role */
} Utilization;

typedef struct ClipStats {
    ClipFigures figures;
    int joint_count;
    JointStat *joint;     /* [joint] owned */
    int dof_count;
    DofStat *dof;         /* [dof] owned; none where the clip has no degrees of freedom */
    Windows windows;      /* owned */
    Events events;        /* owned */
    Traces traces;        /* owned */
    MotionFeatures sketch;  /* owned */
    Utilization utilization; /* owned */
    int profile_count;
    Profile *profile;     /* [profile] owned, one a role in the order of roles; not of the residual */
    Decisions confidence; /* of import's decisions */
    size_t source, history, decisions, warnings; /* offsets into text; the last two: lines as in
                                                    Provenance */
    size_t text_size;
    char *text;           /* owned, strings end in 0 */
} ClipStats;

/* *s = (ClipStats){0} is empty. On failure *out is empty. */
Status clip_stats_init(ClipStats *out, const Clip *clip, FrameChoice choice, Error *err);
void clip_stats_free(ClipStats *s);

static inline const char *clip_stats_text(const ClipStats *s, size_t offset) { return s->text + offset; }

/* Flat copy in *bytes (owned by the caller, free()), for the same program on the same machine. */
Status clip_stats_pack(const ClipStats *s, unsigned char **bytes, size_t *size, Error *err);

/* STATUS_BAD_INPUT where the bytes are cut or inconsistent. */
Status clip_stats_unpack(const unsigned char *bytes, size_t size, ClipStats *out, Error *err);

#endif
