/* Tables of measured forces, in long form: `time joint fx fy fz px py pz tx ty tz`, world axes, SI. */
#ifndef KANE_TABLES_EXTERNAL_TABLE_H
#define KANE_TABLES_EXTERNAL_TABLE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/loads.h"

/* STATUS_BAD_INPUT for an unknown joint, an invalid number or decreasing times. */
Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err);

#endif
