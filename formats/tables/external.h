/* Tables of measured forces, long form: `time joint fx fy fz px py pz tx ty tz`, world axes, SI. */
#ifndef KANE_FORMATS_EXTERNAL_H
#define KANE_FORMATS_EXTERNAL_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/loads.h"

/* STATUS_BAD_INPUT for an unknown joint or a number that is none. */
Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err);

#endif
