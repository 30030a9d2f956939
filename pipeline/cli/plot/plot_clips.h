/* Clips as a figure: joints and quantity, over time or over gait cycles. */
#ifndef KANE_PIPELINE_PLOT_CLIPS_H
#define KANE_PIPELINE_PLOT_CLIPS_H

#include "analysis/clip/clip.h"
#include "analysis/stats/joint_curves.h"
#include "formats/plot/plot_figure.h"

enum { PLOT_MAX_JOINTS = 64 };

/* Joints to plot, by name or role. */
typedef struct PlotJoints {
    int count;
    struct {
        const char *name; /* NULL: by role */
        Role role;
        Coordinate coordinate; /* for anatomical quantities; COORDINATE_NONE: first of the joint */
        int is_optional; /* 1: by role, drawn only if the clip has it */
    } item[PLOT_MAX_JOINTS];
} PlotJoints;

typedef enum PlotCycle { PLOT_CYCLE_NONE, PLOT_CYCLE_LEFT, PLOT_CYCLE_RIGHT } PlotCycle;

typedef struct PlotWish {
    PlotJoints joints;
    JointQuantity quantity;
    JointComponent component;
    int per_kg;
    PlotCycle cycle;
    FrameChoice frames; /* other frames are drawn thin, within the range of these */
} PlotWish;

/* A clip and its path. */
typedef struct PlotClip {
    char *path; /* owned */
    Clip clip;
} PlotClip;

/* Fills an empty figure. On failure *failed is the index of the clip that caused it; free the figure also then. */
Status plot_clips(const PlotClip *clips, int count, const PlotWish *wish, PlotFigure *figure, int *failed, Error *err);

#endif
