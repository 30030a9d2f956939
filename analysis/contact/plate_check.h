/* Force plates compared with the motion: what is wrong with them, and in which frames they cannot be trusted. */
#ifndef KANE_CONTACT_PLATE_CHECK_H
#define KANE_CONTACT_PLATE_CHECK_H

#include "analysis/contact/plate_faults.h"

/* Body weights: how far the estimate lies from the plates of sound trials, as plate_distance has it. The 95th
 * percentile of the seen frames is 0.27 in runs, 0.25 in drop jumps, 0.24 on stairs, 0.18 in walks, 0.14 in squats,
 * 0.13 in fast walks: 47 trials, docs/accuracy.md "Force plates". Beyond it plates and estimate do not both hold. */
#define PLATE_SPREAD 0.30

/* m: a pressure centre that is off by this much counts as a body weight of force: the length of a foot. */
#define PLATE_PRESSURE_LENGTH 0.25

/* Of a frame, the larger of both feet: force and pressure of the plates against those of the estimate, body weights. */
double plate_distance(const PlateCase *c, const PlateSignals *s, int frame);

typedef struct PlateReport {
    PlateMeasures measures;
    PlateFaults faults;
    const uint8_t *is_unseen;  /* [frame] 1: something supports the body that no plate sees */
    const uint8_t *is_doubted; /* [frame] 1: plates and estimate differ by more than PLATE_SPREAD, or a fault of the
                                  plates was found and they are loaded */
} PlateReport;

/* The arrays are the arena's. The clip needs two feet, masses and the path of its COM. */
Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err);

#endif
