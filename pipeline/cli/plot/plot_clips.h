/* Clips as a figure: which joints and quantity, over time or over gait cycles. */
#ifndef KANE_PIPELINE_PLOT_CLIPS_H
#define KANE_PIPELINE_PLOT_CLIPS_H

#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"
#include "formats/plot/plot_figure.h"

enum { PLOT_MOST_JOINTS = 64 };

/* Joints as a person names them: each by its name or by its role. */
typedef struct PlotJoints {
    int count;
    struct {
        const char *name; /* NULL: by role */
        Role role;
        Coordinate coordinate; /* of anatomical quantities; COORDINATE_NONE: the first of the joint */
        int is_optional; /* by role: drawn where the clip has it */
    } item[PLOT_MOST_JOINTS];
} PlotJoints;

typedef enum PlotCycle { PLOT_CYCLE_NONE, PLOT_CYCLE_LEFT, PLOT_CYCLE_RIGHT } PlotCycle;

typedef struct PlotWish {
    PlotJoints joints;
    JointQuantity quantity;
    JointComponent component;
    int per_kg;
    PlotCycle cycle;
    FrameChoice frames; /* the rest is drawn thin, within reach of what is shown */
} PlotWish;

/* A clip and where it comes from. */
typedef struct PlotClip {
    char *path; /* owned */
    Clip clip;
} PlotClip;

/* Fills an empty figure. On failure *failed is the number of the clip to blame, and the figure is to be freed all the
 * same. */
Status plot_clips(const PlotClip *clips, int count, const PlotWish *wish, PlotFigure *figure, int *failed, Error *err);

#endif
