/* Recorded plates and the estimate of a motion as comparable time series: the same step and the same low-pass filter,
 * in body weights. */
#ifndef KANE_CONTACT_PLATE_SERIES_H
#define KANE_CONTACT_PLATE_SERIES_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/plate_record.h"
#include "analysis/math/lane_width.h"

/* A load: force, and moment about the origin. Body weights, body weights x m. */
typedef struct PlateLoad {
    Vec3 force, moment;
} PlateLoad;

typedef struct PlateSeries {
    int frame_count;   /* of the motion */
    double frame_time; /* s, also the step of the plates */
    double start;      /* s, of frame 0 */
    double weight;     /* N, of the body */
    double height;     /* m, world y of the plane in which pressures are compared */
    PlateLoad *foot;   /* [frame][FOOT_COUNT] of the estimate */
    const uint8_t *valid; /* [frame] */
    const Plate *named;   /* [plate] of the record, for feet that it names */
    int step_count, plate_count;
    double record_start; /* s, of step 0 */
    PlateLoad *plate;    /* [step][plate] of the record */
} PlateSeries;

/* What plates are compared with. */
typedef struct EstimatedMotion {
    const ClipView *clip;    /* with masses and kinematics */
    const Contact *estimate; /* of the clip */
    LaneWidth lanes;
} EstimatedMotion;

/* The arrays belong to the arena. */
Status plate_series_find(const PlateRecord *record, const EstimatedMotion *of, PlateSeries *out, Arena *arena,
                         Error *err);

/* A plate's load at a step with fraction; zero outside the record. */
PlateLoad plate_series_at(const PlateSeries *s, double step, int plate);

/* The sum of the estimate's loads on the feet of a set: bit 1 << FOOT_LEFT, 1 << FOOT_RIGHT. */
PlateLoad plate_series_feet(const PlateSeries *s, int frame, unsigned feet);

static inline PlateLoad plate_load_add(PlateLoad a, PlateLoad b)
{
    return (PlateLoad){vec3_add(a.force, b.force), vec3_add(a.moment, b.moment)};
}

#endif
