/* Tables of generalised speeds: `speed of coefficient`, one row per term. A new speed is the sum of coefficient times
 * old speed. */
#ifndef KANE_TABLES_SPEED_TABLE_H
#define KANE_TABLES_SPEED_TABLE_H

#include "analysis/base/status.h"
#include "analysis/model/equations.h"

/* Free *out with speed_forms_free. STATUS_BAD_INPUT with line and column for an old speed that is not in name[count],
 * an invalid number, or different numbers of new speeds and old speeds in them. */
Status speed_forms_read(const char *path, const SpeedName *name, int count, SpeedForms *out, Error *err);
void speed_forms_free(SpeedForms *forms);

#endif
