/* See osim_soles.h. */
#include "formats/opensim/osim_soles.h"

#include <strings.h>

int osim_sole_limit(const Osim *m) { return m->sphere_count + m->marker_count; }

/* Whether a body is part of a foot by the names that OpenSim's models share: calcn_r, toes_r. */
static int is_foot(const char *name)
{
    static const char *const words[] = {"calcn", "toes", "foot"};
    for (int i = 0; i < 3; i++)
        if (strncasecmp(name, words[i], 4) == 0)
            return 1;
    return 0;
}

int osim_soles(const Osim *m, OsimPoint *point)
{
    int count = 0;
    Vec3 down = vec3_normalize(m->gravity); /* bodies have the axes of the ground in the standing pose */
    for (int i = 0; i < m->sphere_count; i++) {
        point[count] = m->sphere[i];
        point[count].x = vec3_mad(point[count].x, point[count].radius, down);
        point[count++].radius = 0;
    }
    for (int i = 0; i < m->marker_count && m->sphere_count == 0; i++)
        if (is_foot(m->body[m->marker[i].body].name))
            point[count++] = m->marker[i];
    return count;
}
