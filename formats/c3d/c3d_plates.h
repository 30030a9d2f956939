/* Force plates of a C3D file, types 1 to 4 (C3D user guide, "The FORCE_PLATFORM group"). */
#ifndef KANE_C3D_C3D_PLATES_H
#define KANE_C3D_C3D_PLATES_H

#include "analysis/base/status.h"
#include "analysis/contact/plate_record.h"
#include "formats/c3d/c3d.h"

/* Number of plates that the file states. */
int c3d_plate_count(const C3d *c3d);

/* Type of a plate, from 0: FORCE_PLATFORM:TYPE. */
int c3d_plate_type(const C3d *c3d, int plate);

/* Reads every plate in axes of the file, m and N. STATUS_BAD_INPUT names the plate and the parameter: of a type other
 * than 1 to 4, without corners or channels, or with samples that are no numbers. */
Status c3d_plates(const C3d *c3d, PlateZero zero, PlateRecord *out, Error *err);

#endif
