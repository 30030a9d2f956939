/* The up axis of plates (plate_up.h). */
#include "analysis/contact/plate_up.h"

#define MIN_COSINE 0.95 /* between normal and axis */

Status plate_up_find(const PlateRecord *record, UpAxis *up, Error *err)
{
    Vec3 normal = {0, 0, 0};
    *up = UP_X;
    for (int p = 0; p < record->plate_count; p++)
        normal = vec3_add(normal, record->plate[p].has_surface ? record->plate[p].normal : vec3(0, 0, 0));
    normal = vec3_normalize(normal);
    for (int axis = UP_X; axis <= UP_MINUS_Z; axis++)
        if (vec3_dot(normal, up_axis_vector((UpAxis)axis)) > vec3_dot(normal, up_axis_vector(*up)))
            *up = (UpAxis)axis;
    if (vec3_dot(normal, up_axis_vector(*up)) > MIN_COSINE)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "the force plates are not level: their mean normal is %.2f, %.2f, %.2f",
                     normal.x, normal.y, normal.z);
}

void plate_record_stand(PlateRecord *record, UpAxis up)
{
    Vec3 x = up_axis_rotate(up, vec3(1, 0, 0)), y = up_axis_rotate(up, vec3(0, 1, 0));
    Vec3 z = up_axis_rotate(up, vec3(0, 0, 1));
    const Vec3 rows[3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    plate_record_move(record, rows, vec3(0, 0, 0));
}
