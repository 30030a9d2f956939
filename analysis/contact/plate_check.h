/* Compares force plates with the motion: errors of the plates, and the frames in which they are not trusted. */
#ifndef KANE_CONTACT_PLATE_CHECK_H
#define KANE_CONTACT_PLATE_CHECK_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/plate_errors.h"
#include "analysis/contact/plate_measures.h"
#include "analysis/contact/plate_signals.h"

/* Body weights, as plate_distance: 95th percentile of the distance between estimate and plates in sound trials. Per
 * kind it is 0.27 in runs, 0.25 in drop jumps, 0.24 on stairs, 0.18 in walks, 0.14 in squats, 0.13 in fast walks: 47
 * trials, docs/validation/force_plates.md. Beyond it plates and estimate cannot both be right. */
#define PLATE_SPREAD 0.30

/* m: a pressure error that counts as one body weight of force: the length of a foot. */
#define PLATE_PRESSURE_LENGTH 0.25

/* Distance in a frame, the larger of both feet: difference of force and pressure between plates and estimate, body
 * weights. */
double plate_distance(const PlateCase *c, const PlateSignals *s, int frame);

typedef struct PlateReport {
    PlateMeasures measures;
    PlateErrors errors;
    const uint8_t *is_unseen;  /* [frame] 1: something outside the plates supports the body */
    const uint8_t *is_doubted; /* [frame] 1: plates and estimate differ by more than PLATE_SPREAD, or the plates are
                                  loaded and have an error */
} PlateReport;

/* The arrays belong to the arena. The clip must have two feet, masses and the path of its COM. */
Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err);

#endif
