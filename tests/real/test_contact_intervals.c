/* analysis/contact/contact_estimate on long clips: forces solved by intervals equal those of the whole clip to 1e-6 of
 * the body weight. A synthetic walk, and a real clip of 2,752 frames if the shared files are available ($KANE_SHARED,
 * else ../shared). */
#include "analysis/motion/smooth.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/body/body_model.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/support/read_bvh.h"
#include "tests/support/walker.h"

static Contact estimate(const Clip *c, int stretch, double overlap)
{
    Contact contact = {0};
    ContactEstimateDef def = contact_estimate_default_def();
    def.interval = stretch;
    def.overlap = overlap;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(
        contact_estimate(&view, &def, &contact, NULL), STATUS_OK);
    return contact;
}

/* Largest difference of a force between two estimates, in body weights. */
static double difference(const Clip *c, const Contact *a, const Contact *b)
{
    double max = 0;
    assert_int_equal(a->point_count, b->point_count);
    for (size_t i = 0; i < (size_t)a->frame_count * (size_t)a->point_count; i++)
        max = fmax(max, vec3_distance(a->force[i], b->force[i]));
    return max / (c->body.total_mass * GRAVITY);
}

static void check_stretches(Clip *c, int stretch)
{
    BodyDef body = body_default_def();
    DifferenceDef def = difference_default_def();
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &def, &c->kinematics, NULL), STATUS_OK);
    Contact whole = estimate(c, c->motion.frame_count, 0);
    Contact stretches = estimate(c, stretch, contact_estimate_default_def().overlap);
    Contact cut = estimate(c, stretch, 0);
    assert_near(difference(c, &stretches, &whole), 0, 1e-6);
    /* Without overlap the cuts have an effect: the comparison can fail. */
    assert_true(difference(c, &cut, &whole) > 1e-4);
    contact_free(&whole);
    contact_free(&stretches);
    contact_free(&cut);
}

TEST(intervals_agree_with_whole_walk_of_20_s)
{
    Clip c = {0};
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, 1200, 60);
    check_stretches(&c, 250);
    clip_free(&c);
}

TEST(intervals_agree_with_whole_real_clip)
{
    char path[4096];
    const char *shared = getenv("KANE_SHARED");
    snprintf(path, sizeof path, "%s/mocap/cmu_cgspeed__01_01.bvh", shared ? shared : "../shared");
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    Bvh bvh;
    Clip c = {0};
    ImportGuess decision;
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    SmoothDef smooth = smooth_default_def();
    assert_int_equal(read_bvh(path, &limits, &bvh, NULL), STATUS_OK);
    assert_int_equal(clip_from_bvh(&bvh, &evidence, &c, &decision, NULL), STATUS_OK);
    assert_int_equal(smooth_motion(&c.motion, &smooth, NULL, NULL), STATUS_OK);
    bvh_free(&bvh);
    check_stretches(&c, 700);
    clip_free(&c);
}
