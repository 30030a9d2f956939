#include "analysis/trust/fault_flicker.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"

static const double block_time = 0.25;            /* s */
static const double least_level = 3.3 * PI / 180; /* rad, mean of the blocks: of 1.1 deg RMS of noise */
static const double of_mean = 0.65;               /* of it: the least of any block */
static const double least_reversed = 0.6;         /* of the third differences; of noise 0.77 and more */
static const double least_whiteness = 6.5;        /* of noise 11.7, of 6 Hz at 24 frames/s 4 */
static const double over_usual = 2.5;             /* times the joint's level in the calmer third of the take */
static const double over_others = 1.8;            /* times the median joint's level there; */
static const double over_others_short = 1.3;      /* of a take that has no calm part to compare with */
static const double sure_reversed = 0.7, sure_whiteness = 9.5; /* from which on it is noise whatever others do, */
static const double sure_others = 0.5;            /* so that less is asked of it over the others: this part */
static const double opposite = 0.25;              /* minus the cosine from which on a difference is against another */
static const double level_of_noise = 3.2;         /* third differences, median over RMS; of one axis 3, of three 4 */
enum {
    LEAST_BLOCK = 6, /* frames */
    SPAN = 3,        /* blocks that must shake */
    LONG = 12,       /* blocks: a take that has a calm part */
};

typedef struct Block {
    double level;     /* rad: median size of the third differences */
    double reversed;  /* part of them that turn against the one before */
    double whiteness; /* fourth differences over second ones, sums of squares */
} Block;

typedef struct Shaking {
    const Motion *motion;
    int count, length; /* blocks, frames in each; the first begins with frame BEFORE */
    Block *block;      /* [joint][count] */
    double *others;    /* [count] rad: the median level of joints with a role */
    double *scratch;   /* [joints + count + length] */
} Shaking;

enum { BEFORE = 3 }; /* frames that differences reach back */

/* The turn from frame f - 1 to f, by twice its sine: near the angle of a small one, and bounded. */
static Vec3 turn_to(const Motion *m, int f, int joint)
{
    size_t now = motion_index(m, f, joint), last = motion_index(m, f - 1, joint);
    Quat q = quat_mul(m->rotation[now], quat_conjugate(m->rotation[last]));
    return vec3_scale(vec3(q.x, q.y, q.z), q.w < 0 ? -2 : 2);
}

/* The last turns of a joint, and what they make. */
typedef struct Turns {
    Vec3 turn, second, third;
} Turns;

static Turns next_turns(Turns t, Vec3 turn)
{
    Vec3 second = vec3_sub(turn, t.turn);
    return (Turns){turn, second, vec3_sub(second, t.second)};
}

static Block look_at_block(const Shaking *s, int joint, int first, Turns *t)
{
    double second = 0, fourth = 0;
    int reversed = 0;
    for (int i = 0; i < s->length; i++) {
        Turns now = next_turns(*t, turn_to(s->motion, first + i, joint));
        Vec3 change = vec3_sub(now.third, t->third);
        s->scratch[i] = vec3_norm(now.third);
        second += vec3_dot(now.second, now.second);
        fourth += vec3_dot(change, change);
        reversed += vec3_dot(now.third, t->third) < -opposite * s->scratch[i] * vec3_norm(t->third);
        *t = now;
    }
    double level = select_double(s->scratch, (size_t)s->length, (size_t)s->length / 2);
    return (Block){level, (double)reversed / s->length, second > 0 ? fourth / second : 0};
}

static void look_at_joint(const Shaking *s, int joint)
{
    Turns t = {turn_to(s->motion, 1, joint), vec3(0, 0, 0), vec3(0, 0, 0)};
    t = next_turns(t, turn_to(s->motion, 2, joint));
    for (int k = 0; k < s->count; k++)
        s->block[joint * s->count + k] = look_at_block(s, joint, BEFORE + k * s->length, &t);
}

static void find_others(const Shaking *s, const Skeleton *skeleton)
{
    for (int k = 0; k < s->count; k++) {
        size_t roles = 0;
        for (int j = 0; j < s->motion->joint_count; j++)
            if (skeleton->role[j] != ROLE_NONE)
                s->scratch[roles++] = s->block[j * s->count + k].level;
        s->others[k] = roles > 0 ? select_double(s->scratch, roles, roles / 2) : 0;
    }
}

/* What the joint's level must exceed of its own; 0: the take is too short to say. */
static double usual_level(const Shaking *s, int joint)
{
    for (int k = 0; k < s->count; k++)
        s->scratch[k] = s->block[joint * s->count + k].level;
    return s->count < LONG ? 0 : over_usual * select_double(s->scratch, (size_t)s->count, (size_t)s->count / 3);
}

/* The mean of SPAN blocks. */
static Block mean_block(const Block *block)
{
    Block mean = {0};
    for (int i = 0; i < SPAN; i++) {
        mean.level += block[i].level / SPAN;
        mean.reversed += block[i].reversed / SPAN;
        mean.whiteness += block[i].whiteness / SPAN;
    }
    return mean;
}

/* What a block's level must exceed of the other joints' there. */
static double over_the_others(const Shaking *s, const Block *mean)
{
    int sure = mean->reversed >= sure_reversed && mean->whiteness >= sure_whiteness;
    return (s->count < LONG ? over_others_short : over_others) * (sure ? sure_others : 1);
}

/* Whether blocks k to k + SPAN - 1 shake. */
static int is_flicker(const Shaking *s, int joint, int k, double usual)
{
    const Block *block = &s->block[joint * s->count + k];
    Block mean = mean_block(block);
    double ratio = over_the_others(s, &mean);
    if (mean.level < least_level || mean.reversed < least_reversed || mean.whiteness < least_whiteness)
        return 0;
    for (int i = 0; i < SPAN; i++)
        if (block[i].level < fmax(of_mean * least_level, fmax(usual, ratio * s->others[k + i])))
            return 0;
    return 1;
}

static Fault fault_of(const Shaking *s, int joint, int first, int end)
{
    double sum = 0;
    for (int k = first; k < end; k++)
        sum += s->block[joint * s->count + k].level;
    return (Fault){TRUST_FLICKER, joint, BEFORE + first * s->length - 1, BEFORE + end * s->length - 1, 0,
                   sum / (end - first) / level_of_noise};
}

/* Windows that shake, put together where they touch. */
static Status judge_joint(const Shaking *s, int joint, Faults *faults, Error *err)
{
    double usual = usual_level(s, joint);
    int first = 0, end = 0;
    Status status = STATUS_OK;
    for (int k = 0; k <= s->count && !status; k++) {
        int shakes = k + SPAN <= s->count && is_flicker(s, joint, k, usual);
        if (end > 0 && k > end) {
            status = faults_add(faults, fault_of(s, joint, first, end), err);
            end = 0;
        }
        if (shakes) {
            first = end > 0 ? first : k;
            end = k + SPAN;
        }
    }
    return status || end == 0 ? status : faults_add(faults, fault_of(s, joint, first, end), err);
}

Status fault_flicker_find(const Skeleton *skeleton, const Motion *m, Faults *faults, Error *err)
{
    Arena arena = {0};
    int length = (int)fmax(LEAST_BLOCK, rint(block_time / m->frame_time)), joints = m->joint_count;
    int count = (m->frame_count - BEFORE) / length;
    if (count < SPAN)
        return STATUS_OK;
    Shaking s = {m, count, length, arena_array(&arena, (size_t)joints, (size_t)count, sizeof(Block)),
                 arena_array(&arena, (size_t)count, 1, sizeof(double)),
                 arena_array(&arena, (size_t)joints + (size_t)count + (size_t)length, 1, sizeof(double))};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int j = 0; j < joints && !status; j++)
        look_at_joint(&s, j);
    if (!status)
        find_others(&s, skeleton);
    for (int j = 0; j < joints && !status; j++)
        status = judge_joint(&s, j, faults, err);
    arena_free(&arena);
    return status;
}
