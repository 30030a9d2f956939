#include "analysis/retarget/sole.h"

static const Role leg_roles[FOOT_COUNT][3] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                              {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};

/* The part of the toe from the ball on that never lies below the plane of the sole. */
static Vec3 flat_tip(Vec3 tip, Vec3 up)
{
    return vec3_mad(tip, -fmin(vec3_dot(tip, up), 0), up);
}

/* Points of a foot come as heel inner and outer, ball inner and outer, toe tip. */
static void measure(Sole *sole, const ContactPoint *p)
{
    Vec3 heel = vec3_scale(vec3_add(p[0].probe, p[1].probe), 0.5),
         ball = vec3_scale(vec3_add(p[2].probe, p[3].probe), 0.5);
    Vec3 forward = vec3_normalize(vec3_sub(ball, heel));
    Vec3 up = vec3_normalize(vec3_cross(vec3_sub(p[3].probe, p[2].probe), forward));
    sole->toe = p[4].joint;
    if (sole->toe == sole->ankle)
        ball = vec3_mad(ball, vec3_dot(forward, vec3_sub(p[4].position, ball)), forward);
    sole->local[SOLE_HEEL] = heel;
    sole->local[SOLE_BALL] = ball;
    sole->local[SOLE_TIP] = sole->toe == sole->ankle ? ball : flat_tip(p[4].position, up);
    sole->length = vec3_distance(heel, ball);
}

void sole_init(Sole sole[FOOT_COUNT], const ReferencePose *reference, const ContactPoints *points)
{
    const Skeleton *skeleton = reference->skeleton;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        int at = 0;
        int ankle = skeleton_find_role(skeleton, leg_roles[foot][2]);
        sole[foot] = (Sole){.hip = skeleton_find_role(skeleton, leg_roles[foot][0]),
                            .knee = skeleton_find_role(skeleton, leg_roles[foot][1]), .ankle = -1, .toe = -1};
        while (at < points->count && points->point[at].foot != foot)
            at++;
        if (at + 4 >= points->count || sole[foot].hip < 0 || sole[foot].knee < 0 || ankle < 0)
            continue;
        sole[foot].ankle = ankle;
        sole[foot].hinge = quat_rotate_inverse(reference->orientation[sole[foot].hip],
                                               quat_rotate(reference->body, vec3(1, 0, 0)));
        measure(&sole[foot], &points->point[at]);
        sole[foot].toe_hinge = quat_rotate_inverse(reference->orientation[sole[foot].toe],
                                                   quat_rotate(reference->body, vec3(-1, 0, 0)));
    }
}

Vec3 sole_point(const Sole *sole, SolePoint point, const Vec3 *position, const Quat *orientation)
{
    int joint = point == SOLE_TIP ? sole->toe : sole->ankle;
    return vec3_add(position[joint], quat_rotate(orientation[joint], sole->local[point]));
}
