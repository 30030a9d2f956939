/* formats/query/query_intervals: the intervals from an index equal those from scanning the torques, frame by frame;
 * trusted frames that are not within limits are over them. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/index/index.h"
#include "formats/query/query.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/random_number.h"
#include "tests/support/test_folder.h"
#include "tests/support/zeroed_dynamics.h"

enum { FRAMES = 437 };

static const char *write_text(TestFolder *folder, const char *name, const char *text)
{
    const char *path = test_folder_file(folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return path;
}

static void make_index(TestFolder *folder, const Clip *clip)
{
    static const char *const paths[] = {"hinge.h5"};
    Index *index = NULL;
    ClipStats stats;
    assert_int_equal(index_open(test_folder_file(folder, "index.db"), &index, NULL), STATUS_OK);
    assert_int_equal(clip_stats_init(&stats, clip, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(index_put_clip(index, paths[0], &stats, NULL), STATUS_OK);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    clip_stats_free(&stats);
    index_close(index);
}

/* Slowly changing torques, which give intervals of many lengths, and a gap in trust. */
static Clip wandering_clip(void)
{
    static const Role role[] = {ROLE_HIPS, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    Clip clip = {.has_body = 1, .has_kinematics = 1, .has_dynamics = 1};
    unsigned seed = 7;
    double knee = 20, other = 20;
    assert_int_equal(skeleton_init(&clip.skeleton, 3, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, FRAMES, 3, 1 / HINGE_FPS, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&clip.body, 3, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&clip.kinematics, FRAMES, 3, 0, NULL), STATUS_OK);
    assert_int_equal(zeroed_dynamics(&clip.dynamics, FRAMES, 3), STATUS_OK);
    clip.body.total_mass = HINGE_MASS;
    for (int j = 0; j < 3; j++) {
        skeleton_set_name(&clip.skeleton, j, role_name(role[j]), NULL);
        clip.skeleton.parent[j] = j ? 0 : -1;
        clip.skeleton.role[j] = clip.skeleton.segment[j] = role[j];
        clip.body.mass[j] = HINGE_MASS / 3;
    }
    clip_set_source(&clip, "folder/knees.bvh", NULL);
    for (int f = 0; f < FRAMES; f++) {
        knee = fabs(knee + 6 * random_number(&seed));
        other = fabs(other + 6 * random_number(&seed));
        clip.dynamics.torque[3 * f + 1] = vec3(knee, 0, 0);
        clip.dynamics.torque[3 * f + 2] = vec3(0, other, 0);
        clip.kinematics.valid[f] = f >= 3 && f < FRAMES - 4 && (f < 200 || f > 202);
        for (int j = 0; j < 3; j++)
            clip.motion.rotation[3 * f + j] = clip.kinematics.orientation[3 * f + j] = QUAT_IDENTITY;
    }
    return clip;
}

static char *ask_preset(TestFolder *folder, const char *preset, const char *argument, double min_seconds,
                        Status expected)
{
    char index[300], *text = NULL;
    size_t size;
    QueryDef def = query_default_def();
    snprintf(index, sizeof index, "%s/index.db", folder->path);
    def.where = preset;
    def.argument = argument;
    def.columns = "frame0, frame1";
    def.order = "frame0";
    def.format = QUERY_TSV;
    def.min_seconds = min_seconds;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(query_run(index, &def, out, NULL), expected);
    fclose(out);
    return text;
}

static char *ask(TestFolder *folder, const char *limits, double min_seconds, Status expected)
{
    return ask_preset(folder, "@within", write_text(folder, "limits.tsv", limits), min_seconds, expected);
}

/* Counts each frame of a result in seen[frame]. */
static void count_frames(const char *answer, int *seen)
{
    for (const char *line = strchr(answer, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        int first, last;
        assert_int_equal(sscanf(line + 1, "%d\t%d", &first, &last), 2);
        for (int f = first; f <= last; f++)
            seen[f]++;
    }
}

/* Each trusted frame is in exactly one of the two results, others in none; limits as text equal those of a table. */
TEST(each_trusted_frame_is_within_or_over)
{
    TestFolder folder = test_folder_make();
    Clip clip = wandering_clip();
    make_index(&folder, &clip);
    int seen[FRAMES] = {0}, over[FRAMES] = {0};
    const char *table = write_text(&folder, "both.tsv", "role\ttorque_nm_kg\nleft_knee\t0.5\nright_knee\t0.8\n");
    char *above = ask_preset(&folder, "@over", table, 0, STATUS_OK);
    char *words = ask_preset(&folder, "@over", "right_knee=0.8,left_knee=0.5", 0, STATUS_OK);
    char *below = ask_preset(&folder, "@within", table, 1e-9, STATUS_OK);
    assert_string_equal(above, words);
    count_frames(above, over);
    count_frames(above, seen);
    count_frames(below, seen);
    for (int f = 0; f < FRAMES; f++) {
        double left = vec3_norm(clip.dynamics.torque[3 * f + 1]), right = vec3_norm(clip.dynamics.torque[3 * f + 2]);
        assert_int_equal(seen[f], clip.kinematics.valid[f]);
        assert_int_equal(over[f], clip.kinematics.valid[f] && (left > 0.5 * HINGE_MASS || right > 0.8 * HINGE_MASS));
    }
    free(above);
    free(words);
    free(below);
    free(ask_preset(&folder, "@over", "left_knee=1e6", 0, STATUS_NO_RESULT));
    free(ask_preset(&folder, "@over", "left_kneee=1", 0, STATUS_BAD_INPUT));
    free(ask_preset(&folder, "@over", "left_knee=1,right_knee=", 0, STATUS_USAGE));
    free(ask_preset(&folder, "@over", "strengths", 0, STATUS_USAGE));
    free(ask_preset(&folder, "@over", "strength=", 0, STATUS_USAGE));
    free(ask_preset(&folder, "@over", "strength=-1", 0, STATUS_USAGE));
    free(ask_preset(&folder, "@over", "strength", 0, STATUS_NO_RESULT)); /* the clip has no /angles */
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* A peak that float32 cannot represent: at the limit it may count as above, above it never as within. */
TEST(torque_is_rounded_up)
{
    TestFolder folder = test_folder_make();
    Clip clip = wandering_clip();
    for (int f = 0; f < FRAMES; f++)
        clip.dynamics.torque[3 * f + 1] = vec3(f == 300 ? 100 : 33.000001 + 1e-7 * f, 0, 0);
    make_index(&folder, &clip);
    free(ask(&folder, "role\ttorque_nm\nleft_knee\t33\n", 0.01, STATUS_NO_RESULT));
    free(ask(&folder, "role\ttorque_nm\nleft_knee\t33.002\n", 0.01, STATUS_OK)); /* one step is 100 / 65,534 */
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* By definition: all trusted frames whose knees are below the limit. */
static char *scan(const Clip *clip, double knee_nm, double other_nm_kg, double min_seconds)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("frame0\tframe1\n", out);
    for (int begin = 0, end; begin < FRAMES; begin = end + 1) {
        for (end = begin; end < FRAMES && clip->kinematics.valid[end]; end++)
            if (vec3_norm(clip->dynamics.torque[3 * end + 1]) > knee_nm ||
                vec3_norm(clip->dynamics.torque[3 * end + 2]) / HINGE_MASS > other_nm_kg)
                break;
        if (end > begin && (end - begin) / HINGE_FPS >= min_seconds - 1e-9)
            fprintf(out, "%d\t%d\n", begin, end - 1);
    }
    fclose(out);
    return text;
}

TEST(intervals_equal_those_of_a_scan)
{
    static const double seconds[] = {0.01, 0.05, 0.3, 0.7};
    TestFolder folder = test_folder_make();
    Clip clip = wandering_clip();
    make_index(&folder, &clip);
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char *expected = scan(&clip, 33, 0.8, seconds[i]);
        const char *limits = "role\ttorque_nm\ttorque_nm_kg\nleft_knee\t33\t100\nright_knee\t1e9\t0.8\n";
        char *answer = ask(&folder, limits, seconds[i],
                           strlen(expected) > 15 ? STATUS_OK : STATUS_NO_RESULT);
        assert_string_equal(answer, expected);
        if (i == 0)
            assert_true(strlen(expected) > 40); /* several, so that the comparison is meaningful */
        free(answer);
        free(expected);
    }
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(untrusted_frames_end_an_interval)
{
    TestFolder folder = test_folder_make();
    Clip clip = wandering_clip();
    make_index(&folder, &clip);
    char *answer = ask(&folder, "role\ttorque_nm\nleft_knee\t1e6\n", 0.01, STATUS_OK);
    assert_string_equal(answer, "frame0\tframe1\n3\t199\n203\t432\n");
    free(answer);
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(unknown_mass_or_role_has_no_interval)
{
    TestFolder folder = test_folder_make();
    Clip clip = hinge_clip(100, 1);
    clip.body.total_mass = 0;
    make_index(&folder, &clip);
    free(ask(&folder, "role\ttorque_nm\nleft_knee\t2\n", 0.5, STATUS_OK));
    free(ask(&folder, "role\ttorque_nm_kg\nleft_knee\t1e6\n", 0.01, STATUS_NO_RESULT));
    free(ask(&folder, "role\ttorque_nm\nright_knee\t2\n", 0.01, STATUS_NO_RESULT));
    free(ask(&folder, "role\ttorque_nm\nleft_knee\t-1\n", 0.01, STATUS_BAD_INPUT));
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* A knee exceeds its strength in two intervals, one of which is not trusted. There is no clip file: the index
 * answers. */
TEST(over_strength_finds_frames_above_the_fraction)
{
    TestFolder folder = test_folder_make();
    Clip clip = wandering_clip();
    clip.has_angles = 1;
    assert_int_equal(joint_angles_init(&clip.angles, FRAMES, 3, 0, NULL), STATUS_OK);
    assert_int_equal(joint_angles_add_strength(&clip.angles, NULL), STATUS_OK);
    assert_int_equal(trust_init(&clip.trust, FRAMES, 3, 1, NULL), STATUS_OK);
    clip.has_trust = 1;
    for (int i = 0; i < 3; i++) {
        clip.angles.coordinate[i] = (Coordinate)(COORDINATE_LEFT_KNEE_FLEXION + i);
        clip.angles.joint[i] = 1;
    }
    for (int f = 0; f < FRAMES; f++) {
        clip.angles.utilization[joint_angles_index(&clip.angles, f, 0)] =
            (f >= 30 && f <= 41) || (f >= 80 && f < 90) ? 1.5 : 0.5;
        clip.angles.utilization[joint_angles_index(&clip.angles, f, 1)] = NAN;
        clip.kinematics.valid[f] = 1;
        clip.trust.joint_reason[3 * f + 1] = f >= 80 && f < 90 ? TRUST_FLIP : 0;
    }
    trust_settle(&clip.trust);
    make_index(&folder, &clip);
    char *found = ask_preset(&folder, "@over", "strength=1.2", 0, STATUS_OK);
    assert_string_equal(found, "frame0\tframe1\n30\t41\n");
    free(found);
    free(ask_preset(&folder, "@over", "strength=1.2", 60, STATUS_NO_RESULT));
    free(ask_preset(&folder, "@over", "strength=1.2", 12.5 / HINGE_FPS, STATUS_NO_RESULT)); /* it has 12 frames */
    free(ask_preset(&folder, "@over", "strength=1.2", 12 / HINGE_FPS, STATUS_OK));
    free(ask_preset(&folder, "@over", "strength=1.6", 0, STATUS_NO_RESULT));
    found = ask_preset(&folder, "@over", "strength", 0, STATUS_OK);
    assert_string_equal(found, "frame0\tframe1\n30\t41\n");
    free(found);
    clip_free(&clip);
    test_folder_remove(&folder);
}
