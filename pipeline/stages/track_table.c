#include "pipeline/stages/track_table.h"

#include "analysis/math/elementary.h"

#define DEGREES (180 / PI)

void track_table_head(FILE *out)
{
    fprintf(out, "clip\tcontroller\tmean_deg\tp95_deg\tfinal_deg\tposition_cm\teffort_nm\tstable_s\n");
}

static const char *title_of(const Clip *clip) { return clip->provenance.title ? clip->provenance.title : ""; }

void track_table_rows(FILE *out, const Clip *clip)
{
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        if (run->present)
            fprintf(out, "%s\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.3f\t%.2f\n",
                    title_of(clip), controller_name((ControllerKind)i),
                    DEGREES * run->mean_error, DEGREES * run->p95_error, DEGREES * run->final_error,
                    100 * run->mean_distance, run->effort, run->stable_time);
    }
}

void track_series_head(FILE *out)
{
    fprintf(out, "clip\tcontroller\ttime\tjoint\trole\tangle_deg\torientation_error_deg\tposition_error_cm\t"
                 "torque_nm\n");
}

/* Rotation of a joint against its parent about Z, in (-180, 180]. */
static double hinge_angle(const Clip *clip, const Quat *row, int joint)
{
    int parent = clip->skeleton.parent[joint];
    Quat q = parent < 0 ? row[joint] : quat_mul(quat_conjugate(row[parent]), row[joint]);
    double angle = 2 * DEGREES * elementary_atan2(q.z, q.w);
    return angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle;
}

static void put_run(FILE *out, const Clip *clip, ControllerKind kind)
{
    const Tracking *t = &clip->tracking;
    const TrackingRun *run = &t->run[kind];
    for (int f = 0; f < t->frame_count; f++)
        for (int j = 0; j < t->joint_count; j++) {
            size_t row = (size_t)f * (size_t)t->joint_count, at = row + (size_t)j;
            if (t->carrier[j] != j)
                continue;
            fprintf(out, "%s\t%s\t%.6g\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g\n", title_of(clip), controller_name(kind),
                    t->time[f], clip->skeleton.name[j], role_name(clip->skeleton.role[j]),
                    hinge_angle(clip, run->orientation + row, j), DEGREES * run->orientation_error[at],
                    100 * run->position_error[at], vec3_norm(run->torque[at]));
        }
}

void track_series_rows(FILE *out, const Clip *clip)
{
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (clip->tracking.run[i].present)
            put_run(out, clip, (ControllerKind)i);
}
