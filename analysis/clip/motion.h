/* Motion of the skeleton: group /motion and the time axis of a clip file. */
#ifndef KANE_CLIP_MOTION_H
#define KANE_CLIP_MOTION_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Pose, velocity and acceleration of every joint in the world: group /kinematics of a clip file.
 *
 * World axes, of the joint centre. Velocity and acceleration are computed from the root's and the angular ones along
 * the rigid segments (thesis 3.4, 3.7), so that each frame is consistent. */

typedef struct Kinematics {
    int frame_count;
    int joint_count;
    Vec3 *position;             /* [frame][joint] m */
    Quat *orientation;          /* [frame][joint] joint to world */
    Vec3 *angular_velocity;     /* [frame][joint] rad/s */
    Vec3 *angular_acceleration; /* [frame][joint] rad/s2 */
    Vec3 *velocity;             /* [frame][joint] m/s */
    Vec3 *acceleration;         /* [frame][joint] m/s2, without gravity */
    Vec3 *com;                  /* [frame] m, of the whole body; NULL: computed without a body */
    uint8_t *valid;             /* [frame] 0: too close to an edge, derivatives are not defined */
} Kinematics;

/* Allocates zeroed arrays; com only if has_com. */
Status kinematics_init(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err);
/* The same with numbers of any value, for what fills all of them. */
Status kinematics_space(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err);
void kinematics_free(Kinematics *k);

/* Mass properties of every segment: group /body of a clip file. */

#define BODY_MODEL_SIZE 64

typedef struct Body {
    int joint_count;
    double *mass;      /* [joint] kg */
    Vec3 *com;         /* [joint] m, from the joint centre, joint axes */
    Sym3 *inertia;     /* [joint] kg m2, about the centre of mass, joint axes */
    double total_mass; /* kg */
    double stature;    /* m, standing height; 0: unknown */
    char model[BODY_MODEL_SIZE]; /* "deleva male", "segments", "capsules" */
} Body;

Status body_init(Body *b, int joint_count, Error *err);
void body_free(Body *b);
Status body_copy(Body *to, const Body *from, Error *err);

typedef struct Motion {
    int frame_count;
    int joint_count;
    double frame_time;    /* s */
    double *time;         /* [frame] s, time of the source: if its first frame was dropped, time[0] = frame_time */
    Vec3 *root_position;  /* [frame] m, world: centre of joint 0 */
    Quat *rotation;       /* [frame][joint] joint axes to parent axes, root to world; signs are continuous */
    Vec3 *translation;    /* [frame][joint] m, joint centre in parent axes instead of the offset; zero for the root;
                             NULL: no joint translates */
} Motion;

/* Allocates zeroed arrays; time[f] = f * frame_time; translation only if has_translation. */
Status motion_init(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err);
/* The same with numbers of any value but for the times, for what fills all of them. */
Status motion_space(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err);
void motion_free(Motion *m);

Status motion_copy(Motion *out, const Motion *from, Error *err);

/* Flips signs so that each quaternion is nearest to its predecessor in time (frame 0: w >= 0). */
void motion_make_continuous(Motion *m);

static inline size_t motion_index(const Motion *m, int frame, int joint)
{
    return (size_t)frame * (size_t)m->joint_count + (size_t)joint;
}

/* A view of frames first to first + count - 1, not freed. */
static inline Motion motion_view(const Motion *m, int first, int count)
{
    Motion view = *m;
    size_t row = motion_index(m, first, 0);
    view.frame_count = count;
    view.time = m->time ? m->time + first : NULL;
    view.root_position += first;
    view.rotation += row;
    view.translation = m->translation ? m->translation + row : NULL;
    return view;
}

/* A read-only view of a clip, the input of most functions in analysis/.
 *
 * Owns nothing; its members must outlive it. Absent members are NULL; each function states which it reads. */

typedef struct ClipView {
    const Skeleton *skeleton;
    const Body *body;             /* NULL: no masses */
    const Motion *motion;
    const Kinematics *kinematics; /* NULL: not differentiated */
} ClipView;

#endif
