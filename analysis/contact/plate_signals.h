/* Measured forces and estimated forces as comparable time series.
 *
 * Body weights, in axes of the person: forward, up, right (mean heading of the hips). Plates contain more of an impact
 * than a smoothed motion does, so all series pass the same low-pass filter. */
#ifndef KANE_CONTACT_PLATE_SIGNALS_H
#define KANE_CONTACT_PLATE_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

/* Inputs. Nothing is owned. */
typedef struct PlateCase {
    const ClipView *clip;    /* whole clip, with the path of the COM */
    const Contact *plates;   /* contact_from_external of the table */
    const Loads *table;      /* loads_from_external of the table, complete */
    const Contact *estimate; /* contact_estimate of the same clip */
    LaneWidth lanes;
    int mass_is_given;       /* 0: the body's mass is the default, which another weight on the plates does not
                                contradict */
} PlateCase;

/* Series of three components each. */
typedef enum PlatePart { PLATES_LEFT, PLATES_RIGHT, ESTIMATE_LEFT, ESTIMATE_RIGHT, NEEDED, PLATE_PARTS } PlatePart;
typedef enum PlateAxis { PLATE_FORWARD, PLATE_UP, PLATE_RIGHTWARD, PLATE_AXES } PlateAxis;
enum { PLATE_CHANNELS = PLATE_PARTS * PLATE_AXES };

typedef struct PlateSignals {
    int frame_count;
    double frame_time; /* s */
    double weight;     /* N, of the body */
    Vec3 forward, right;
    double *rows;       /* [frame][PLATE_CHANNELS] body weights; NEEDED: the force that the motion requires of the
                           feet */
    uint8_t *is_unseen; /* [frame] 1: something outside the plates supports the body */
    uint8_t *is_used;   /* [frame] 1: on the plates, with valid derivatives, and not next to frames off the plates */
} PlateSignals;

/* The arrays belong to the arena. */
Status plate_signals_find(const PlateCase *c, PlateSignals *out, Arena *arena, Error *err);

static inline double plate_signal(const PlateSignals *s, int frame, PlatePart part, PlateAxis axis)
{
    return s->rows[(size_t)frame * PLATE_CHANNELS + (size_t)part * PLATE_AXES + (size_t)axis];
}

static inline Vec3 plate_foot_force(const Contact *c, int frame, int foot)
{
    return c->foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot];
}

#endif
