/* Clips and intervals like a given one, for @similar, @lower-torque, @easier and @harder. */
#ifndef KANE_QUERY_QUERY_LIKE_H
#define KANE_QUERY_QUERY_LIKE_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "formats/query/query_def.h"

/* Returns the index of the role of this name, or -1. The search begins at *next, which is set to the
 * index after the one found: rows of a clip are in the order of roles. */
int query_find_role(const Role *role, int count, int *next, const char *name);

/* Fills the table temp.likeness with RMS distances of torque profiles. */
Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* Fill the table temp.alike with similar intervals or whole clips, compared by motion features. */
Status query_window_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_lower_torque_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_factor_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#endif
