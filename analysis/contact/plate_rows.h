/* Forces of plates as rows of the joints of the feet. */
#ifndef KANE_CONTACT_PLATE_ROWS_H
#define KANE_CONTACT_PLATE_ROWS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/plate_match.h"
#include "analysis/contact/plate_record.h"
#include "analysis/dynamics/loads.h"

/* A record that is in the position and time of the motion, with the stances on its plates. */
typedef struct PlateAttribution {
    const PlateRecord *record;
    const PlateSeries *series; /* of the record before it was moved */
    const PlateSpans *spans;
    const Skeleton *skeleton;
} PlateAttribution;

/* Every sample gives a row per foot. A plate that supports both feet is divided so that force and moment are kept: each
 * foot has the fraction that the centre of pressure, between those of the estimate, shows. divided: s in which that
 * was so. The caller frees *rows. */
Status plate_rows_find(const PlateAttribution *of, ExternalRows *rows, double *divided, Error *err);

#endif
