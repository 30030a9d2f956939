#include "formats/export/info_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"

double info_rate(double frame_time)
{
    return frame_time > 0 ? round(1e9 / frame_time) / 1e9 : NAN;
}

Status info_measure(const Clip *clip, FrameChoice choice, ClipStats *stats, BodyMeasures *size, Error *err)
{
    Status status = body_measures(&clip->skeleton, &clip->motion, 0, vec3(0, 1, 0), size, err);
    return status ? status : clip_stats_init(stats, clip, choice, err);
}

Status info_finish(FILE *stream, Error *err)
{
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "writing failed: %s", strerror(errno));
    return STATUS_OK;
}

void info_visit_history(const Clip *clip, FILE *stream, void (*visit)(FILE *stream, const char *line, int index))
{
    const char *at = clip->provenance.history ? clip->provenance.history : "";
    for (int index = 0; *at; index++) {
        size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (line)
            visit(stream, line, index);
        free(line);
        at += length + (at[length] == '\n');
    }
}

int info_has_points(const Clip *clip) { return clip->has_contact && clip->contact.point_count > 0; }

double info_ground_tilt(const Contact *c)
{
    Vec3 n = c->ground_normal;
    return elementary_atan2(sqrt(n.x * n.x + n.z * n.z), n.y) * 180 / PI;
}
