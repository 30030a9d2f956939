/* See two_links.h. */
#include "analysis/control/two_links.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/sim/scene_def.h"

enum { LINKS = 2 };

#define DEGREES (PI / 180)

/* One row per scene, in the order of TwoLinksScene: its name, and amplitudes of the hinges, degrees. */
static const struct Scene {
    const char *name;
    double swing[LINKS];
} scenes[] = {{"steady", {0, 0}}, {"moving", {30, 60}}};
_Static_assert(sizeof scenes / sizeof *scenes == TWO_LINKS_SCENE_COUNT, "a row for every TwoLinksScene");

/* Hinge angles of the reference, rad: 45 and 90 degrees; or 45 + 30 sin(2 pi t / 2 s), 90 + 60 sin(2 pi t / 1 s). */
static void find_angles(TwoLinksScene scene, double time, double angle[LINKS])
{
    const double *swing = scenes[scene].swing;
    angle[0] = DEGREES * (45 + swing[0] * elementary_sin(2 * PI * time / 2));
    angle[1] = DEGREES * (90 + swing[1] * elementary_sin(2 * PI * time / 1));
}

/* A solid cylinder along x from the joint: I = m r^2 / 2 about its axis, m (3 r^2 + l^2) / 12 across. */
static Status fill_body(Body *body, Error *err)
{
    const double m = TWO_LINKS_MASS, l = TWO_LINKS_LENGTH, r = TWO_LINKS_DIAMETER / 2;
    Status status = body_init(body, LINKS, err);
    for (int j = 0; !status && j < LINKS; j++) {
        double across = m * (3 * r * r + l * l) / 12;
        body->mass[j] = m;
        body->com[j] = vec3(l / 2, 0, 0);
        body->inertia[j] = (Sym3){m * r * r / 2, across, across, 0, 0, 0};
        body->total_mass += m;
    }
    return status;
}

static Status two_links_skeleton(Skeleton *s, Error *err)
{
    Status status;
    if ((status = skeleton_init(s, LINKS, 1, err)) ||
        (status = skeleton_set_name(s, 0, "A", err)) ||
        (status = skeleton_set_name(s, 1, "B", err)))
        return status;
    s->parent[1] = 0;
    s->offset[0] = vec3(0, TWO_LINKS_HEIGHT, 0);
    s->offset[1] = s->end_offset[0] = vec3(TWO_LINKS_LENGTH, 0, 0);
    s->end_parent[0] = 1;
    return STATUS_OK;
}

Status two_links_clip(TwoLinksScene scene, double duration, double dt, Clip *out, Error *err)
{
    *out = (Clip){.has_body = 1};
    if (!(dt > 0) || !(duration >= dt) || duration / dt > 1e7)
        return error_set(err, STATUS_USAGE, "a scene of %g s in steps of %g s", duration, dt);
    Status status = two_links_skeleton(&out->skeleton, err);
    if (!status)
        status = fill_body(&out->body, err);
    if (!status)
        status = motion_init(&out->motion, (int)lround(duration / dt) + 1, LINKS, dt, 0, err);
    for (int f = 0; !status && f < out->motion.frame_count; f++) {
        double angle[LINKS];
        find_angles(scene, out->motion.time[f], angle);
        out->motion.root_position[f] = out->skeleton.offset[0];
        for (int j = 0; j < LINKS; j++)
            out->motion.rotation[motion_index(&out->motion, f, j)] = quat_from_axis_angle(vec3(0, 0, 1), angle[j]);
    }
    if (!status)
        status = clip_set_source(out, scenes[scene].name, err);
    if (!status) {
        out->provenance.frame_time = dt;
        out->provenance.meters_per_unit = 1;
        out->provenance.up_axis[0] = 'Y';
        return STATUS_OK;
    }
    clip_free(out);
    return status;
}
