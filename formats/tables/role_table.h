/* Tables of the roles of joints: `joint role likelihood`, one row per joint; role `-`: none. Printed by kane import
 * --print-map and read by --roles, which does not require the likelihood. */
#ifndef KANE_TABLES_ROLE_TABLE_H
#define KANE_TABLES_ROLE_TABLE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/body/role_map.h"
#include "analysis/clip/skeleton.h"

/* STATUS_BAD_INPUT with line and column for an unknown role, or one given twice. Free *out with role_map_free. */
Status role_table_read(const char *path, RoleMap *out, Error *err);

/* likelihood: [ROLE_COUNT]. */
Status role_table_write(const Skeleton *skeleton, const double *likelihood, FILE *stream, Error *err);

#endif
