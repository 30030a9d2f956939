/* Aligns recorded plates with a motion, in time and space.
 *
 * Time: plates are behind the motion by the lag at which their loads agree with those that the motion requires. Space:
 * the motion of the plates' axes into those of the clip is a rotation about the vertical and a shift that puts the
 * centres of pressure under the feet. The rotation is a quarter turn unless another angle agrees clearly better. */
#ifndef KANE_CONTACT_PLATE_ALIGNMENT_H
#define KANE_CONTACT_PLATE_ALIGNMENT_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/plate_match.h"
#include "analysis/dynamics/loads.h"

typedef struct PlateAlignmentDef {
    int find_lag;   /* 0: lag is given */
    double lag;     /* s, by which the plates are behind the motion */
    int find_place; /* 0: the plates have the axes of the clip */
} PlateAlignmentDef;

typedef struct PlateAlignment {
    double lag, lag_error, lag_certainty;    /* s, standard deviation s, probability that it is within 20 ms */
    double turn, turn_error, turn_certainty; /* rad about +Y, from the plates' axes to the clip's; standard deviation;
                                                probability among the quarter turns */
    double shift_error, shift_certainty;     /* m, standard deviation; fraction of the load within 10 cm of a foot */
    PlatePlacement placement;
    double divided; /* s, in which one plate supports both feet, so that its load is divided */
} PlateAlignment;

/* Aligns the record, whose up axis must be +Y, with the clip: it is moved, its times are those of the motion, and *rows
 * are its forces on the joints of the feet. The clip must have two feet.
 * STATUS_BAD_INPUT if no plate is loaded while the motion has a foot on the ground. The caller frees *rows. */
Status plates_align(const PlateAlignmentDef *def, const EstimatedMotion *with, PlateRecord *record, PlateAlignment *out,
                    ExternalRows *rows, Error *err);

/* Only the delay of rows of joints, up to 0.2 s: fills out's lag. */
Status plates_find_delay(const ExternalRows *rows, const EstimatedMotion *with, PlateAlignment *out, Error *err);

#endif
