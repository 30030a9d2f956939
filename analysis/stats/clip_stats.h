/* All statistics of a clip that the index stores: computed once, self-contained, small.
 *
 * They use the chosen frames; an index uses FRAMES_SOUND. Clips with one frame or none, without dynamics or without
 * contact are valid: unknown values are NaN. A batch worker sends them as one flat buffer to the process that owns the
 * database. */
#ifndef KANE_STATS_CLIP_STATS_H
#define KANE_STATS_CLIP_STATS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/clip_settings.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/metric.h"
#include "analysis/stats/motion_features.h"
#include "analysis/stats/travel.h"
#include "analysis/stats/verdict.h"
#include "analysis/stats/windows.h"

/* Statistics of the whole clip. */
typedef struct ClipMetrics {
    double fps;         /* 1/s */
    int frames;
    int is_lean;        /* 1: of a clip file whose numbers are rounded (--store lean) */
    int valid_frames;   /* frames that the statistics use */
    double trusted_fraction; /* trusted frames over frames seen by force plates, or over all; NaN: no quality check
                                has run */
    char untrusted_reason[24]; /* most common flag, edge only if there is no other; "": none */
    double left_out_fraction;  /* valid frames that statistics leave out because the recording is bad, over all */
    char left_out_reason[24];  /* most common flag of these; "": none */
    double duration_s;  /* s, frames / fps */
    double mass_kg;     /* NaN without a body */
    double stature_m;   /* NaN: unknown */
    double residual_force_rms_bw;     /* body weights */
    double residual_torque_rms_nm_kg; /* N m/kg */
    double root_residual_force_rms_bw; /* at the root in kane track; NaN: not tracked */
    double root_residual_torque_rms_nm_kg;
    double lost_s, rest_s;       /* of kane track, as in TrackingRun; NaN: none */
    char outcome[OUTCOME_SIZE];  /* of kane track; "": not tracked */
    double unit_confidence;      /* probability that the detected unit is correct; NaN: unknown */
    double decision_confidence;  /* lowest confidence of import's detections */
    double start_s;              /* time of the first frame, source time */
    double source_fps, meters_per_unit; /* of the source, as detected by import */
    double rate_confidence, up_axis_confidence;
    char up_axis[4];             /* of the source, as detected: "Y", "-Z" */
    double peak_event_nm_kg;     /* largest torque peak of the events; NaN: none */
    double peak_event_low_nm_kg; /* largest torque_low of these peaks */
    Travel travel;
    double positive_work_j_kg;          /* positive work of the joints per body mass */
    double positive_work_j_kg_m;        /* the same per metre; NaN if distance_m is below 0.5 m */
    double flight_s;             /* s; NaN without contact points */
    double contact_confidence;   /* 0 .. 1, mean; NaN without contact points */
    double presumed_support_s;   /* s, frames with an unrecorded seat or handrail; NaN without contact points */
    double off_plates_s;         /* s, frames with TRUST_OFF_PLATES; NaN: no quality check has run */
    RetargetScore retarget;      /* NaN if the motion was not retargeted */
    double verdict_factor, verdict_band, verdict_t; /* of ClipVerdict */
    int verdict_frame;           /* -1: unknown */
    char verdict[12], verdict_joint[64], verdict_why[VERDICT_TEXT_SIZE];
    int hardest_joint;           /* joint with the largest lower end of its torque peak, without helpers and the
                                    floating base; -1: none */
    char skeleton[17];           /* 16 hexadecimal digits, hash of joint names and parents: equal for equal
                                    hierarchies */
    char source_sha256[65];      /* "": unknown */
    char unsure[DECISIONS_TEXT_SIZE]; /* detections of import with low confidence, by name; "": none */
    ClipSettings settings;
} ClipMetrics;

/* The numbers of ClipMetrics by name, without hardest_joint. */
MetricList clip_metrics(void);

typedef struct JointStat {
    size_t name;    /* offset into text */
    int parent;     /* -1: root */
    Role role;      /* ROLE_NONE: creature joints, fingers, ends */
    Role segment;   /* segment it moves with; ROLE_NONE: that of its role */
    double mass_kg; /* NaN without a body */
    JointPeaks peaks;
} JointStat;

/* Statistics of a degree of freedom of a model over the chosen frames: rad or m, efforts N m or N. NaN: unknown. */
typedef struct DofStat {
    size_t name;   /* offset into text */
    int joint;
    char kind[16]; /* "hinge" */
    double position_min, position_max;
    double speed_peak;            /* rad/s or m/s */
    double effort_peak;           /* largest magnitude */
    double effort_rms;
    double power_peak_w;          /* W, positive generates */
    double work_pos_j;            /* J, integral of the positive power */
    double limit_fraction[DOF_LIMIT_COUNT]; /* largest fraction of each limit that is reached: dofs_limit_fraction */
} DofStat;

/* The numbers of DofStat by name. */
MetricList dof_metrics(void);

/* Strength utilization over time: the largest lower end of a 90 % band among the coordinates of counted joints, and its
 * role. */
typedef struct Utilization {
    int frame_count;     /* of the clip; 0: unknown */
    float *largest;      /* [frame] owned; 0: unknown */
    unsigned char *role; /* [frame] owned; a Role */
} Utilization;

typedef struct ClipStats {
    ClipMetrics metrics;
    int joint_count;
    JointStat *joint;     /* [joint] owned */
    int dof_count;
    DofStat *dof;         /* [dof] owned; empty without degrees of freedom */
    Windows windows;      /* owned */
    Events events;        /* owned */
    Traces traces;        /* owned */
    MotionFeatures sketch;  /* owned */
    Utilization utilization; /* owned */
    int profile_count;
    Profile *profile;     /* [profile] owned, one per role in the order of roles, without the residual */
    Decisions confidence; /* of import's detections */
    size_t source, history, decisions, warnings; /* offsets into text; the last two: lines as in Provenance */
    size_t text_size;
    char *text;           /* owned, strings end in 0 */
} ClipStats;

/* RMS of the residual force over the chosen frames, body weights; NaN without frames, dynamics or a mass. */
double clip_residual_force_rms(const Clip *clip, FrameChoice choice);

/* (ClipStats){0} is empty. On failure *out is empty. Free with clip_stats_free. */
Status clip_stats_init(ClipStats *out, const Clip *clip, FrameChoice choice, Error *err);
void clip_stats_free(ClipStats *s);

static inline const char *clip_stats_text(const ClipStats *s, size_t offset) { return s->text + offset; }

/* Flat copy in *bytes (the caller frees it with free()), for the same program on the same machine. */
Status clip_stats_pack(const ClipStats *s, unsigned char **bytes, size_t *size, Error *err);

/* STATUS_BAD_INPUT if the bytes are truncated or inconsistent. */
Status clip_stats_unpack(const unsigned char *bytes, size_t size, ClipStats *out, Error *err);

#endif
