/* The up axis of recorded plates, from the normals of their surfaces. */
#ifndef KANE_CONTACT_PLATE_UP_H
#define KANE_CONTACT_PLATE_UP_H

#include "analysis/base/status.h"
#include "analysis/contact/plate_record.h"
#include "analysis/detect/up_axis.h"

/* Finds the axis of the file that is nearest to the mean normal of the plates; STATUS_BAD_INPUT if none is within 18
 * degrees of it. */
Status plate_up_find(const PlateRecord *record, UpAxis *up, Error *err);

/* Turns everything to +Y up, as import turns a motion file with that up axis. */
void plate_record_stand(PlateRecord *record, UpAxis up);

#endif
