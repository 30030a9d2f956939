/* See seam_jump.h. */
#include "analysis/transition/seam_jump.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/contact/ground_track.h"
#include "analysis/motion/forward_kinematics.h"

/* Positions of the joints, with the frames that follow the end of a loop. */
typedef struct JointPaths {
    Arena arena;
    int frame_count, joint_count;
    WorldPoses poses;     /* [frame][joint] */
    double *jump, *bend;  /* [frame] RMS over the joints, m: displacement to the next frame, and its change there */
} JointPaths;

static Vec3 point(const JointPaths *p, int frame, int joint)
{
    return p->poses.position[(size_t)frame * (size_t)p->joint_count + (size_t)joint];
}

/* Fills jump[f] from f to f + 1 and bend[f] at f, for the frames that have such neighbours. */
static void measure(JointPaths *p)
{
    for (int f = 0; f + 1 < p->frame_count; f++) {
        double jump = 0, bend = 0;
        for (int j = 0; j < p->joint_count; j++) {
            Vec3 to = vec3_sub(point(p, f + 1, j), point(p, f, j));
            Vec3 change = f > 0 ? vec3_sub(to, vec3_sub(point(p, f, j), point(p, f - 1, j))) : vec3(0, 0, 0);
            jump += vec3_dot(to, to);
            bend += vec3_dot(change, change);
        }
        p->jump[f] = sqrt(jump / p->joint_count);
        p->bend[f] = sqrt(bend / p->joint_count);
    }
}

/* Poses the clip, with `more` first frames again behind the last, moved by the step. */
static Status joint_paths_init(JointPaths *p, const ClipView *clip, const GroundMove *step, int more, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count, frames = (size_t)(clip->motion->frame_count + more);
    *p = (JointPaths){.frame_count = (int)frames, .joint_count = (int)joints};
    p->poses.position = arena_array(&p->arena, frames, joints, sizeof(Vec3));
    p->poses.orientation = arena_array(&p->arena, frames, joints, sizeof(Quat));
    p->jump = arena_array(&p->arena, frames, 1, sizeof *p->jump);
    p->bend = arena_array(&p->arena, frames, 1, sizeof *p->bend);
    Status status = p->arena.failed ? error_no_memory(err) : forward_kinematics(clip, LANES_AUTO, &p->poses, err);
    Vec3 *x = p->poses.position;
    for (size_t i = 0; i < (size_t)more * joints && !status; i++)
        x[(frames - (size_t)more) * joints + i] = ground_move_point(step, x[i]);
    if (!status)
        measure(p);
    return status;
}

static double largest(const double *value, int first, int last)
{
    double out = 0;
    for (int f = first; f <= last; f++)
        out = fmax(out, value[f]);
    return out;
}

/* Frames of a search: displacements from first to last, and changes of them to last_change. */
typedef struct JumpFrames {
    int first, last, last_change;
} JumpFrames;

/* The largest in these frames of a clip, with `more` first frames again behind the last. */
static Status find_largest(const ClipView *clip, const GroundMove *step, int more, JumpFrames in, SeamJump *out,
                           Error *err)
{
    JointPaths p;
    Status status = joint_paths_init(&p, clip, step, more, err);
    int end = p.frame_count - 2; /* the last frame with a next one */
    *out = (SeamJump){0, 0};
    if (!status)
        *out = (SeamJump){largest(p.jump, in.first < 0 ? 0 : in.first, in.last < end ? in.last : end),
                          largest(p.bend, in.first < 1 ? 1 : in.first, in.last_change < end ? in.last_change : end)};
    arena_free(&p.arena);
    return status;
}

Status seam_jump_usual(const ClipView *clip, SeamJump *out, Error *err)
{
    JointPaths p;
    int frames = clip->motion->frame_count;
    *out = (SeamJump){0, 0};
    if (frames < 3)
        return STATUS_OK;
    Status status = joint_paths_init(&p, clip, NULL, 0, err);
    if (!status)
        *out = (SeamJump){track_percentile(p.jump, frames - 1, 0.99), track_percentile(p.bend + 1, frames - 2, 0.99)};
    arena_free(&p.arena);
    return status;
}

Status seam_jump_loop(const ClipView *loop, const GroundMove *step, SeamJump *out, Error *err)
{
    int last = loop->motion->frame_count - 1;
    *out = (SeamJump){0, 0};
    return last < 1 ? STATUS_OK : find_largest(loop, step, 2, (JumpFrames){last, last, last + 1}, out, err);
}

Status seam_jump_interval(const ClipView *clip, int first, int last, SeamJump *out, Error *err)
{
    return find_largest(clip, NULL, 0, (JumpFrames){first, last, last}, out, err);
}
