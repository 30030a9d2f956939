/* A trial: the clip with a timing, solved again by the stages of a plan, and how its efforts depend on the timing. */
#ifndef KANE_STAGES_RETIME_TRIAL_H
#define KANE_STAGES_RETIME_TRIAL_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/pose_curve.h"
#include "analysis/retime/time_warp.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

enum { TRIAL_STAGES = 4 };

/* The stages that solve a motion, in order, up to /dynamics and perhaps /angles. */
typedef struct TrialPlan {
    int count;
    const Stage *stage[TRIAL_STAGES];
    OptionValues values[TRIAL_STAGES];
} TrialPlan;

/* Appends a stage; values NULL: its defaults. */
void trial_plan_add(TrialPlan *plan, const Stage *stage, const OptionValues *values);

typedef struct Trial {
    Clip clip;      /* up to /dynamics, and /angles if the plan has them */
    double *place;  /* [frame] owned; s of the source from its first frame */
    WarpRate *rate; /* [frame] owned */
} Trial;

/* Solves the clip on the timing. On failure *out is empty. */
Status trial_make(const PoseCurve *curve, const Clip *source, const TimeWarp *warp, const TrialPlan *plan, Trial *out,
                  Error *err);

/* Solves what is written as kane run solves it: filtered again. */
Status trial_filter(const Clip *written, const TrialPlan *plan, Clip *out, Error *err);

/* Solves the clip at one rate, with its own frames. */
Status trial_make_uniform(const Clip *source, double rate, const TrialPlan *plan, Clip *out, Error *err);
void trial_free(Trial *trial);

/* Fills motion and, if the source has it, trust of *out from the source at count places, before any stage. */
Status trial_motion(const PoseCurve *curve, const Clip *source, const double *place, int count, Clip *out, Error *err);

/* Which quantity of the timing changes, and everything else stays. */
typedef enum TrialChange { CHANGE_SQUARE, CHANGE_PUSH, TRIAL_CHANGES } TrialChange;

/* Change of the square, as a fraction of it, and of the push, 1/s. */
#define TRIAL_SQUARE 0.1
#define TRIAL_PUSH 0.5

/* Solves a trial with its velocities and accelerations changed: contact, torque and angles of the plan. */
Status trial_vary(const Trial *trial, TrialChange change, const TrialPlan *plan, Clip *out, Error *err);

#endif
