/* See joint_cell.h. */
#include "formats/tables/joint_cell.h"

#include "formats/base/text.h"

Status joint_cell_unknown(const Table *t, int row, int column, const Skeleton *skeleton, Error *err)
{
    char near[256];
    const char *name = table_cell(t, row, column);
    did_you_mean_joint(name, skeleton, near, sizeof near);
    return table_error(t, row, column, err, "unknown joint or role \"%s\"%s", name, near);
}
