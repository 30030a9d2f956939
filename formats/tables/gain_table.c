/* See gain_table.h. */
#include "formats/tables/gain_table.h"

#include <math.h>

#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

enum { GAIN_COLUMNS = 4, REQUIRED_GAINS = 2 };
static const char *const gain_columns[GAIN_COLUMNS] = {"stiffness", "damping", "integral", "torque_max_nm"};

static Status read_gains(const Table *t, int row, const int *column, JointGains *out, Error *err)
{
    double *value[GAIN_COLUMNS] = {&out->stiffness, &out->damping, &out->integral, &out->torque_max};
    Status status = STATUS_OK;
    for (int i = 0; !status && i < GAIN_COLUMNS; i++) {
        if (column[i] < 0 || !*table_cell(t, row, column[i]))
            continue;
        status = table_number(t, row, column[i], value[i], err);
        if (!status && (*value[i] < 0 || (i == 0 && *value[i] == 0)))
            status = table_error(t, row, column[i], err, i ? "%s must not be negative" : "%s must be positive",
                                 gain_columns[i]);
    }
    return status;
}

static int says_nothing(const JointGains *g)
{
    return isnan(g->stiffness) && isnan(g->damping) && isnan(g->integral) && isnan(g->torque_max);
}

static Status read_gains_of_joint(const Table *t, int row, int joint_column, const Skeleton *skeleton,
                                  JointGains *gains, Error *err)
{
    int column[GAIN_COLUMNS];
    const char *name = table_cell(t, row, joint_column);
    int joint = skeleton_find_name_or_role(skeleton, name);
    if (joint < 0)
        return joint_cell_unknown(t, row, joint_column, skeleton, err);
    if (!says_nothing(&gains[joint]))
        return table_error(t, row, joint_column, err, "a second row for \"%s\"", name);
    for (int i = 0; i < GAIN_COLUMNS; i++)
        column[i] = table_find(t, gain_columns[i]);
    return read_gains(t, row, column, &gains[joint], err);
}

Status joint_gains_read(const char *path, const Skeleton *skeleton, JointGains *gains, Error *err)
{
    Table table = {0};
    int joint = -1, required[REQUIRED_GAINS];
    for (int j = 0; j < skeleton->joint_count; j++)
        gains[j] = (JointGains){NAN, NAN, NAN, NAN};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "joint", &joint, err);
    if (!status)
        status = table_require_all(&table, gain_columns, REQUIRED_GAINS, required, err);
    if (!status)
        status = table_require_rows(&table, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = read_gains_of_joint(&table, row, joint, skeleton, gains, err);
    table_free(&table);
    return status;
}
