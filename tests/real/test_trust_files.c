/* analysis/quality on real recordings: artifacts of all kinds, planted at random frames and joints, are flagged with
 * few false positives; clean recordings have few flags. Each file has its own seed, independent of other files. Skipped
 * if the files are absent ($KANE_SHARED, else ../shared). */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/read_bvh.h"
#include "tests/support/file_seed.h"
#include "tests/support/planted_artifact.h"
#include "tests/support/source_trust.h"

enum { MIN_FRAMES = 60, TRIALS = 3, CLEAR = 6 };
static const double nothing = 0.005; /* m: an artifact that moves no joint further does not count */

typedef struct Tally {
    int files, frames, marked_frames;
    int planted[PLANTED_KIND_COUNT], marked[PLANTED_KIND_COUNT];
    double besides; /* s, largest distance of a flag from its artifact */
} Tally;

static int read_clip(const char *path, Clip *clip)
{
    ImportGuess decision;
    return file_clip(path, clip, &decision) && clip->motion.frame_count >= MIN_FRAMES;
}

/* Largest displacement of a joint centre or end site by the artifact, m. */
static double moved(const Clip *sound, const Motion *faulty, const PlantedArtifact *plant)
{
    size_t frames = (size_t)faulty->frame_count, joints = (size_t)faulty->joint_count;
    WorldPoses pose[2];
    double max = 0;
    for (int k = 0; k < 2; k++) {
        ClipView view = {.skeleton = &sound->skeleton, .motion = k ? faulty : &sound->motion};
        pose[k] = (WorldPoses){calloc(frames * joints, sizeof(Vec3)), calloc(frames * joints, sizeof(Quat)), NULL};
        assert_int_equal(forward_kinematics(&view, LANES_AUTO, &pose[k], NULL), STATUS_OK);
    }
    for (int f = plant->first; f <= plant->last; f++) {
        size_t row = (size_t)f * joints;
        for (size_t j = 0; j < joints; j++)
            max = fmax(max, vec3_distance(pose[0].position[row + j], pose[1].position[row + j]));
        for (int e = 0; e < sound->skeleton.end_count; e++) {
            size_t at = row + (size_t)sound->skeleton.end_parent[e];
            Vec3 tip[2];
            for (int k = 0; k < 2; k++)
                tip[k] = vec3_add(pose[k].position[at],
                                  quat_rotate(pose[k].orientation[at], sound->skeleton.end_offset[e]));
            max = fmax(max, vec3_distance(tip[0], tip[1]));
        }
    }
    for (int k = 0; k < 2; k++) {
        free(pose[k].position);
        free(pose[k].orientation);
    }
    return max;
}

/* Flags judged here; sustained artifacts are in test_sustained_artifacts.c. */
#define ONE_FRAME (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED)

static uint32_t any_reason(const Trust *t, int frame)
{
    uint32_t reason = t->reason[frame];
    for (int j = 0; t->joint_reason && j < t->joint_count; j++)
        reason |= trust_joint_reason(t, frame, j);
    return reason & ONE_FRAME;
}

/* Each frame of the artifact has a flag on its joint within two frames. */
static int is_marked(const Trust *t, const PlantedArtifact *plant)
{
    for (int f = plant->first; f <= plant->last; f++) {
        int near = 0;
        for (int k = f - 2; k <= f + 2; k++)
            near |= k >= 0 && k < t->frame_count && (trust_joint_reason(t, k, plant->joint) & ONE_FRAME) != 0;
        if (!near)
            return 0;
    }
    return 1;
}

static void plant_and_look(const Clip *clip, const Trust *sound, PlantedKind kind, unsigned *seed, Tally *tally)
{
    PlantedArtifact plant = planted_draw(&clip->motion, kind, CLEAR, seed);
    Motion motion;
    Trust trust;
    assert_int_equal(motion_copy(&motion, &clip->motion, NULL), STATUS_OK);
    planted_apply(&motion, &plant);
    if (moved(clip, &motion, &plant) > nothing) {
        assert_int_equal(source_trust(&clip->skeleton, &motion, &trust, NULL), STATUS_OK);
        int found = is_marked(&trust, &plant);
        if (!found)
            printf("missed: %s of %.3g, joint %s, frames %d to %d of %s\n", planted_names[kind], plant.size,
                   clip->skeleton.name[plant.joint], plant.first, plant.last, clip->provenance.title);
        tally->planted[kind]++;
        tally->marked[kind] += found;
        for (int f = 0; f < trust.frame_count; f++) {
            int off = f < plant.first ? plant.first - f : f > plant.last ? f - plant.last : 0;
            if (any_reason(&trust, f) && !any_reason(sound, f))
                tally->besides = fmax(tally->besides, off * motion.frame_time);
        }
        trust_free(&trust);
    }
    motion_free(&motion);
}

static void measure_file(const char *path, Tally *tally)
{
    unsigned seed = file_seed(path);
    Clip clip;
    Trust sound;
    if (read_clip(path, &clip)) {
        assert_int_equal(clip_set_source(&clip, path, NULL), STATUS_OK);
        assert_int_equal(source_trust(&clip.skeleton, &clip.motion, &sound, NULL), STATUS_OK);
        int marked = 0;
        for (int f = 0; f < sound.frame_count; f++)
            marked += (sound.reason[f] & ONE_FRAME) != 0;
        if (marked)
            printf("%s: %d of %d frames\n", clip.provenance.title, marked, sound.frame_count);
        tally->files++;
        tally->frames += sound.frame_count;
        tally->marked_frames += marked;
        for (int i = 0; i < TRIALS * PLANTED_KIND_COUNT; i++)
            plant_and_look(&clip, &sound, (PlantedKind)(i % PLANTED_KIND_COUNT), &seed, tally);
        trust_free(&sound);
    }
    clip_free(&clip);
}

TEST(planted_artifacts_are_flagged_and_clean_frames_not)
{
    const char *shared = getenv("KANE_SHARED");
    char pattern[1024];
    glob_t found;
    Tally tally = {0};
    snprintf(pattern, sizeof pattern, "%s/mocap/*.bvh", shared ? shared : "../shared");
    if (glob(pattern, 0, NULL, &found) != 0) {
        print_message("skipped: no %s\n", pattern);
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        measure_file(found.gl_pathv[i], &tally);
    globfree(&found);
    assert_true(tally.files >= 30);
    int planted = 0, marked = 0;
    for (int k = 0; k < PLANTED_KIND_COUNT; k++) {
        printf("%-20s %d of %d\n", planted_names[k], tally.marked[k], tally.planted[k]);
        planted += tally.planted[k];
        marked += tally.marked[k];
    }
    printf("marked within two frames %.1f %%, besides within %.3f s; of sound frames %.2f %%\n",
           100.0 * marked / planted, tally.besides, 100.0 * tally.marked_frames / tally.frames);
    for (int k = 0; k < PLANTED_KIND_COUNT; k++)
        assert_true(tally.marked[k] >= 0.95 * tally.planted[k]);
    assert_true(marked >= 0.97 * planted);
    assert_true(tally.besides <= 0.15);
    assert_true(tally.marked_frames <= 0.005 * tally.frames);
}
