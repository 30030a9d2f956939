/* Tables of targets: `time joint x y z`, positions of joint centres, m, world axes. Joints by name or role. */
#ifndef KANE_TABLES_TARGET_TABLE_H
#define KANE_TABLES_TARGET_TABLE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/targets.h"

/* The caller frees out->memory. STATUS_BAD_INPUT with line and column for an unknown joint or an invalid number. */
Status targets_read(const char *path, const Skeleton *skeleton, TargetRows *out, Error *err);

#endif
