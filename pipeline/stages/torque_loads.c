/* See torque_loads.h. */
#include "pipeline/stages/torque_loads.h"

#include "formats/tables/spring_tables.h"

Status torque_loads_of_table(const char *path, const Clip *clip, MeasuredFile *file, Loads *loads, Error *err)
{
    MeasuredOptions options = measured_options();
    *file = (MeasuredFile){0};
    if (clip->has_contact && clip->contact.point_count > 0)
        return error_set(err, STATUS_BAD_INPUT, "/contact already has forces; omit --external");
    Status status = measured_file_read(path, &options, clip, file, err);
    return status ? status : loads_from_external(&file->rows, &clip->motion, loads, err);
}

Status spring_laws_check(const char *springs, const char *laws, Error *err)
{
    return laws && !springs ? error_set(err, STATUS_USAGE, "--spring-laws has no effect without --springs") : STATUS_OK;
}

Status torque_loads_add_springs(const TorqueTables *tables, const Clip *clip, Loads *loads, Error *err)
{
    Springs springs;
    Loads all = {0};
    SpringFiles files = {.springs = tables->springs, .laws = tables->spring_laws};
    const Kinematics *k = &clip->kinematics;
    SpringPose start = {k->position, k->orientation, k->velocity, k->angular_velocity};
    Status status = springs_read(&files, &clip->skeleton, &springs, err);
    if (status)
        return status;
    springs_settle(&springs, &start);
    status = springs_loads(&springs, &clip->kinematics, loads, &all, err);
    springs_free(&springs);
    if (status)
        return status;
    loads_free(loads);
    *loads = all;
    return STATUS_OK;
}
