/* A walking clip with contacts, and its retargeting to another skeleton. */
#ifndef KANE_TESTS_RETARGET_WALK_H
#define KANE_TESTS_RETARGET_WALK_H

#include "tests/support/assert_near.h"

#include "analysis/body/body_model.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "analysis/retarget/retarget.h"
#include "tests/support/walker.h"

enum { FRAMES = 180 };

typedef struct Walk {
    Skeleton skeleton;
    Motion motion;
    Kinematics kinematics;
    Contact contact;
} Walk;

/* Computes kinematics and contacts of the unsmoothed motion. */
static inline void walk_update(Walk *w)
{
    Body body;
    BodyDef body_def = body_default_def();
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef contact = contact_estimate_default_def();
    kinematics_free(&w->kinematics);
    contact_free(&w->contact);
    assert_int_equal(body_from_skeleton(&w->skeleton, &body_def, &body, NULL), STATUS_OK);
    ClipView view = {&w->skeleton, &body, &w->motion, &w->kinematics};
    assert_int_equal(differentiate(&view, &difference, &w->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_estimate(&view, &contact, &w->contact, NULL),
                     STATUS_OK);
    body_free(&body);
}

static inline void walk_init(Walk *w)
{
    *w = (Walk){0};
    walker_skeleton(&w->skeleton);
    walker_motion(&w->motion, FRAMES, 60);
    walk_update(w);
}

static inline void walk_free(Walk *w)
{
    skeleton_free(&w->skeleton);
    motion_free(&w->motion);
    kinematics_free(&w->kinematics);
    contact_free(&w->contact);
}

/* Retargets the walk to a skeleton in its rest pose. */
static inline RetargetJob walk_job(const Skeleton *target, const Walk *w)
{
    return (RetargetJob){.target = {.skeleton = target},
                         .source = {&w->skeleton, NULL, &w->motion, &w->kinematics},
                         .contact = &w->contact};
}

static inline Status retarget(const Skeleton *target, const Walk *w, int plant, Motion *out, RetargetScore *score)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(target, w);
    def.plant = plant ? PLANT_KEEP : PLANT_NONE;
    return retarget_motion(&job, &def, out, score, NULL);
}

/* Angle of the rotation from a to b, degrees. */
static inline double rotation_angle(Quat a, Quat b)
{
    return 2 * vec3_norm(quat_log(quat_mul(quat_conjugate(a), b))) * 180 / PI;
}

static inline void scale_skeleton(Skeleton *s, double factor)
{
    for (int j = 0; j < s->joint_count; j++)
        s->offset[j] = vec3_scale(s->offset[j], factor);
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = vec3_scale(s->end_offset[e], factor);
}

#endif
