/* Half-second windows of a clip and the load of every role in each, for queries by time. */
#ifndef KANE_STATS_WINDOWS_H
#define KANE_STATS_WINDOWS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/metric.h"

#define WINDOW_SECONDS 0.5

typedef struct Window {
    double t0, t1;      /* s, source time; t1 is the start of the next window or the end of the clip */
    int frame0, frame1; /* first and last frame */
} Window;

typedef struct WindowStat {
    int window;               /* index of its window */
    Role role;
    double torque_peak_mnm_kg; /* mN m/kg; this and the following are integers, rounded away from zero */
    double torque_rms_mnm_kg;
    double power_peak_mw_kg;   /* mW/kg */
    double power_min_mw_kg;
} WindowStat;

typedef struct Windows {
    int window_count;
    int stat_count;
    Window *window;   /* [window] owned */
    WindowStat *stat; /* [stat] owned, by window, then role; windows without a trusted frame have none */
} Windows;

Status windows_init(Windows *w, const Clip *clip, const JointSeries *series, Error *err);
void windows_free(Windows *w);

/* The statistics of WindowStat by name. */
MetricList window_metrics(void);

#endif
