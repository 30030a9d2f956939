/* The whole contact stage on a walk of about 31 joints: a real one if the shared clips are available ($KANE_SHARED,
 * else ../shared), else the sample of data/. The former also on a clip that stands on all points of both feet at 30 Hz,
 * the slowest of them. Another BVH file may be given instead.
 *
 * Rows `name value unit`: frames per second of CPU time on one core, medians over the rounds; ratios within a round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/body/body_model.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/smooth.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/read_bvh.h"

enum { ROUNDS = 9, WIDTHS = 4 };

static const LaneWidth widths[WIDTHS] = {LANES_AVX512, LANES_AVX2, LANES_PAIR, LANES_SCALAR};
static const char *const width_names[WIDTHS] = {"avx512", "avx2", "sse2", "scalar"};

/* A clip ready for the contact stage: read, body, smoothed, differentiated. */
static Status prepare(const char *path, Clip *clip)
{
    Bvh bvh;
    ImportGuess decision;
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    BodyDef body = body_default_def();
    SmoothDef smooth = smooth_default_def();
    DifferenceDef difference = difference_default_def();
    Status status = read_bvh(path, &limits, &bvh, NULL);
    if (status)
        return status;
    status = clip_from_bvh(&bvh, &evidence, clip, &decision, NULL);
    bvh_free(&bvh);
    if (!status)
        status = body_from_skeleton(&clip->skeleton, &body, &clip->body, NULL);
    if (!status)
        status = smooth_motion(&clip->motion, &smooth, NULL, NULL);
    if (!status)
        status = differentiate(&(ClipView){&clip->skeleton, &clip->body, &clip->motion, &clip->kinematics},
                               &difference, &clip->kinematics, NULL);
    return status;
}

static double time_estimate(const Clip *c, LaneWidth lanes)
{
    ContactEstimateDef def = contact_estimate_default_def();
    def.lanes = lanes;
    Contact contact = {0};
    double start = processor_seconds();
    Status status =
        contact_estimate(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, &def, &contact, NULL);
    double spent = processor_seconds() - start;
    contact_free(&contact);
    return status ? 0 : spent;
}

static void report(const Clip *c)
{
    double rate[WIDTHS][ROUNDS], ratio[WIDTHS][ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        for (int w = 0; w < WIDTHS; w++)
            rate[w][r] = c->motion.frame_count / time_estimate(c, widths[w]);
        for (int w = 0; w < WIDTHS; w++)
            ratio[w][r] = rate[w][r] / rate[WIDTHS - 1][r];
    }
    for (int w = 0; w < WIDTHS; w++) {
        if (lane_width_choose(widths[w]) != widths[w])
            continue;
        printf("contact_frames_per_s_%s %.0f frames/s\n", width_names[w], median(rate[w], ROUNDS));
        printf("contact_%s_against_scalar %.2f ratio\n", width_names[w], median(ratio[w], ROUNDS));
    }
}

static void report_standing(const Clip *c)
{
    double rate[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        rate[r] = c->motion.frame_count / time_estimate(c, LANES_AUTO);
    printf("contact_standing_frames_per_s %.0f frames/s\n", median(rate, ROUNDS));
}

static Status bench_clip(const char *path, void (*rows)(const Clip *clip))
{
    Clip clip = {0};
    Status status = prepare(path, &clip);
    if (status)
        fprintf(stderr, "bench_contact: %s: %s\n", path, status_name(status));
    else
        rows(&clip);
    clip_free(&clip);
    return status;
}

int main(int argc, char **argv)
{
    char walk[4096], standing[4096];
    memory_return_freed(); /* like the program */
    const char *shared = getenv("KANE_SHARED") ? getenv("KANE_SHARED") : "../shared";
    snprintf(walk, sizeof walk, "%s/mocap/cmu_cgspeed__02_01.bvh", shared);
    snprintf(standing, sizeof standing, "%s/mocap/parser_fixture__test_mocapbank.bvh", shared);
    if (argc > 1)
        return bench_clip(argv[1], report) != STATUS_OK;
    Status status = bench_clip(access(walk, R_OK) == 0 ? walk : "data/walk.bvh", report);
    if (!status && access(standing, R_OK) == 0)
        status = bench_clip(standing, report_standing);
    return status != STATUS_OK;
}
