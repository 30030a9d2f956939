/* Recording noise (recording_noise.h). */
#include "analysis/uncertainty/recording_noise.h"

#include <math.h>
#include <stdint.h>

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/motion/smooth.h"
#include "analysis/signal/smoothing.h"

#define ROOT_SWING 0.5    /* m */
#define HIDDEN_CUTOFF 8.0 /* Hz */

double noise_cutoff(double cutoff, double frame_time)
{
    return fmin(cutoff > 0 ? cutoff : NOISE_CUTOFF, 0.45 / frame_time);
}

/* Accelerations of white noise grow with the cutoff to the power 5/2. */
double recording_noise_size(double measured, double hidden, double cutoff, double frame_time)
{
    double passes = noise_cutoff(cutoff, frame_time), part = fmin(1, HIDDEN_CUTOFF / passes);
    double within = hidden * part * part * sqrt(part);
    return sqrt(measured * measured + within * within);
}

/* Uniform number in [-sqrt 3, sqrt 3), with mean 0 and variance 1: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static double next_noise(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return 1.7320508075688772 * ((double)(z >> 11) * 0x1p-52 - 1);
}

static Vec3 next_vector(uint64_t *state, double size)
{
    double x = next_noise(state), y = next_noise(state), z = next_noise(state);
    return (Vec3){size * x, size * y, size * z};
}

/* Small rotations, and the path of a root at rest. */
static void fill_noise(double size, uint64_t state, Motion *noise)
{
    size_t count = (size_t)noise->frame_count * (size_t)noise->joint_count;
    for (size_t i = 0; i < count; i++) {
        Vec3 half = next_vector(&state, 0.5 * size);
        noise->rotation[i] = quat_normalize((Quat){1, half.x, half.y, half.z});
    }
    for (int f = 0; f < noise->frame_count; f++)
        noise->root_position[f] = next_vector(&state, ROOT_SWING * size);
}

Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err)
{
    SmoothDef smooth = smooth_default_def();
    Motion noise = {0};
    smooth.cutoff = noise_cutoff(cutoff, motion->frame_time);
    Status status = motion_init(&noise, motion->frame_count, motion->joint_count, motion->frame_time, 0, err);
    if (!status) {
        fill_noise(size, (uint64_t)number + 1, &noise);
        status = smooth_motion(&noise, &smooth, NULL, err);
    }
    for (int f = 0; f < motion->frame_count && !status; f++) {
        motion->root_position[f] = vec3_add(motion->root_position[f], noise.root_position[f]);
        for (int j = 0; j < motion->joint_count; j++) {
            size_t at = motion_index(motion, f, j);
            motion->rotation[at] = quat_mul(motion->rotation[at], noise.rotation[at]);
        }
    }
    motion_free(&noise);
    return status;
}
