/* Retargets real clips to three real skeletons and checks the project's bounds: increase of slide, depth and knee
 * acceleration over the source, bone directions; copying rotations is worse at feet. On their own skeletons clips are
 * unchanged, with planting or without. */
#include "analysis/motion/smooth.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/body/roles.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "analysis/retarget/retarget.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/support/read_bvh.h"

enum { TARGETS = 3, MAX_FRAMES = 700 };

static const char *const target_files[TARGETS] = {"cmu_cgspeed__02_01.bvh", "parser_fixture__test_freebvh.bvh",
                                                  "makehuman__mh_walk1.bvh"};

static const char *shared(void)
{
    const char *path = getenv("KANE_SHARED");
    return path ? path : "../shared";
}

/* The folder of real clips; skips the test if it is absent. */
static DIR *open_clips(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/mocap", shared());
    DIR *folder = opendir(path);
    if (!folder) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    return folder;
}

static int read_clip(const char *name, Clip *out)
{
    char path[1024];
    Bvh bvh;
    SourceDef limits = source_default_def();
    ImportGuessDef def = import_guess_default_def();
    *out = (Clip){0};
    snprintf(path, sizeof path, "%s/mocap/%s", shared(), name);
    if (read_bvh(path, &limits, &bvh, NULL))
        return 0;
    if (bvh.frame_count > MAX_FRAMES)
        bvh.frame_count = MAX_FRAMES;
    Status status = clip_from_bvh(&bvh, &def, out, NULL, NULL);
    bvh_free(&bvh);
    if (!status && roles_are_human(&out->skeleton) && out->motion.frame_count > 2)
        return 1;
    clip_free(out);
    return 0;
}

/* Contacts of the smoothed clip, as estimated by the stage. */
static void find_contacts(const char *name, Clip *seen)
{
    BodyDef body = body_default_def();
    SmoothDef smooth = smooth_default_def();
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef contact = contact_estimate_default_def();
    assert_true(read_clip(name, seen));
    assert_int_equal(body_from_skeleton(&seen->skeleton, &body, &seen->body, NULL), STATUS_OK);
    assert_int_equal(smooth_motion(&seen->motion, &smooth, NULL, NULL), STATUS_OK);
    ClipView view = {&seen->skeleton, &seen->body, &seen->motion, &seen->kinematics};
    assert_int_equal(differentiate(&view, &difference, &seen->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_estimate(&view, &contact,
                                      &seen->contact, NULL),
                     STATUS_OK);
    seen->has_body = seen->has_kinematics = seen->has_contact = 1;
}

/* Number of results that satisfy each bound. */
typedef struct Tally {
    int pairs, contact, slide, below, bones, legs, knees, jerk;
} Tally;

static RetargetScore put_on(const Clip *clip, const Clip *seen, const Clip *target, PlantMode plant)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = {.target = clip_view(target), .source = clip_view(clip), .contact = &seen->contact};
    Motion out;
    RetargetScore score;
    job.source.kinematics = &seen->kinematics;
    def.plant = plant;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    for (size_t i = 0; i < (size_t)out.frame_count * (size_t)out.joint_count; i++)
        assert_near(quat_dot(out.rotation[i], out.rotation[i]), 1, 1e-9);
    motion_free(&out);
    return score;
}

/* On its own skeleton, a planted clip is unchanged. */
static void expect_planted_identity(const Clip *clip, const Clip *seen)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = {.target = clip_view(clip), .source = clip_view(clip), .contact = &seen->contact};
    Motion out;
    RetargetScore score;
    job.source.kinematics = &seen->kinematics;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    for (int f = 0; f < out.frame_count; f++)
        assert_vec3_near(out.root_position[f], clip->motion.root_position[f], 1e-6);
    for (size_t i = 0; i < (size_t)out.frame_count * (size_t)out.joint_count; i++)
        assert_near(vec3_norm(quat_log(quat_mul(quat_conjugate(out.rotation[i]), clip->motion.rotation[i]))), 0, 1e-6);
    motion_free(&out);
}

static void add_score(Tally *t, RetargetScore s)
{
    t->pairs++;
    t->contact += !(s.contact_kept < 0.9);
    t->slide += !(s.slide_increase_cm_s > 0.3);
    t->below += !(s.penetration_increase_cm > 0.3);
    t->bones += !(s.bone_direction_deg > 5);
    t->legs += !(s.leg_direction_deg > 5);
    t->knees += !(s.knee_acceleration > 1.3);
    t->jerk += !(s.hip_jerk > 1.5);
}

TEST(real_clips_stay_within_retarget_bounds)
{
    Clip target[TARGETS];
    Tally planted = {0}, copied = {0};
    (void)state;
    DIR *folder = open_clips();
    for (int i = 0; i < TARGETS; i++)
        assert_true(read_clip(target_files[i], &target[i]));
    for (struct dirent *entry; (entry = readdir(folder));) {
        Clip clip, seen;
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".bvh") || !read_clip(entry->d_name, &clip))
            continue;
        find_contacts(entry->d_name, &seen);
        for (int i = 0; i < TARGETS; i++) {
            add_score(&planted, put_on(&clip, &seen, &target[i], PLANT_KEEP));
            add_score(&copied, put_on(&clip, &seen, &target[i], PLANT_NONE));
        }
        expect_planted_identity(&clip, &seen);
        clip_free(&seen);
        clip_free(&clip);
    }
    closedir(folder);
    for (int i = 0; i < TARGETS; i++)
        clip_free(&target[i]);
    print_message("of %d: contact %d (copied %d), slide %d (%d), depth %d (%d), bones %d, legs %d, knees %d, jerk %d\n",
                  planted.pairs, planted.contact, copied.contact, planted.slide, copied.slide, planted.below,
                  copied.below, planted.bones, planted.legs, planted.knees, planted.jerk);
    assert_true(planted.contact >= 0.95 * planted.pairs);
    assert_true(planted.slide >= 0.9 * planted.pairs);
    assert_true(planted.below >= 0.9 * planted.pairs);
    assert_true(planted.bones >= 0.95 * planted.pairs);
    assert_true(planted.legs >= 0.9 * planted.pairs);
    assert_true(planted.knees >= 0.97 * planted.pairs);
    assert_true(planted.jerk >= 0.97 * planted.pairs);
    assert_true(copied.contact < 0.5 * copied.pairs && copied.slide < 0.55 * copied.pairs);
}

/* Retargets the clip to its own skeleton, scaled: the same rotations and translations, a scaled path. */
static void expect_identity(const Clip *clip, double factor)
{
    RetargetDef def = retarget_default_def();
    Skeleton copy;
    Motion out;
    RetargetScore score;
    def.plant = PLANT_NONE;
    assert_int_equal(skeleton_copy(&copy, &clip->skeleton, NULL), STATUS_OK);
    for (int j = 0; j < copy.joint_count; j++)
        copy.offset[j] = vec3_scale(copy.offset[j], factor);
    for (int e = 0; e < copy.end_count; e++)
        copy.end_offset[e] = vec3_scale(copy.end_offset[e], factor);
    RetargetJob job = {.target = {.skeleton = &copy, .motion = &clip->motion}, .source = clip_view(clip)};
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    for (int f = 0; f < out.frame_count; f++)
        assert_vec3_near(out.root_position[f], vec3_scale(clip->motion.root_position[f], factor), 1e-9 * factor);
    for (size_t i = 0; i < (size_t)out.frame_count * (size_t)out.joint_count; i++)
        assert_near(vec3_norm(quat_log(quat_mul(quat_conjugate(out.rotation[i]), clip->motion.rotation[i]))), 0, 5e-10);
    motion_free(&out);
    skeleton_free(&copy);
}

TEST(real_clips_retargeted_onto_themselves_are_equal)
{
    DIR *folder = open_clips();
    for (struct dirent *entry; (entry = readdir(folder));) {
        Clip clip;
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".bvh") || !read_clip(entry->d_name, &clip))
            continue;
        for (double factor = 0.5; factor <= 2; factor *= 2)
            expect_identity(&clip, factor);
        clip_free(&clip);
    }
    closedir(folder);
}
