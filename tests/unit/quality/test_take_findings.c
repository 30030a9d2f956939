/* analysis/quality/take_findings: problems of a take are found in any format, including one with quaternions and byte
 * positions. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/quality/take_findings.h"
#include "tests/support/walker.h"

enum { FRAMES = 90, POSE_BYTES = 1000 };

static FileLocation where(const Take *take, int frame, int joint, TakePart part)
{
    (void)take;
    if (frame < 0)
        return (FileLocation){.byte = part == TAKE_RATE ? 5 : 10 + joint};
    return (FileLocation){.byte = (long long)(frame + 1) * POSE_BYTES + (joint < 0 ? 0 : 10 * joint) + (int)part};
}

static Take walk(void)
{
    Take take = {.root_given = {1, 1, 1}, .where = where};
    walker_skeleton(&take.skeleton);
    walker_motion(&take.motion, FRAMES, 30);
    walker_to_file(&take.skeleton, &take.motion, 0.01, UP_Y);
    return take;
}

static void inspect(Take *take, const Skeleton *family)
{
    ImportGuessDef def = import_guess_default_def();
    Error err = {0};
    if (take_inspect(take, &def, family, &err) != STATUS_OK)
        fail_msg("%s", err.text);
}

/* The only one of its kind; NULL if none. */
static const Finding *find(const Take *take, int kind)
{
    const Finding *found = NULL;
    for (int i = 0; i < take->findings.count; i++)
        if (take->findings.found[i].kind == kind) {
            assert_null(found);
            found = &take->findings.found[i];
        }
    return found;
}

/* Except for sliding feet: the walker's are not planted. */
TEST(clean_take_has_no_findings)
{
    Take take = walk();
    inspect(&take, NULL);
    for (int i = 0; i < take.findings.count; i++)
        if (take.findings.found[i].kind != FINDING_SLIDING)
            fail_msg("%s", take.findings.found[i].text);
    take_free(&take);
}

TEST(flip_reports_byte_of_its_joint)
{
    Take take = walk();
    Quat *q = &take.motion.rotation[motion_index(&take.motion, 40, 14)];
    *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 0, 1), 2.5));
    inspect(&take, NULL);
    const Finding *flip = find(&take, FINDING_FLIP);
    assert_non_null(flip);
    assert_int_equal(flip->at.byte, 41 * POSE_BYTES + 140 + TAKE_ROTATION);
    assert_int_equal(flip->at.line, 0);
    assert_non_null(strstr(flip->text, "LeftForeArm"));
    take_free(&take);
}

TEST(teleport_of_the_root_is_found)
{
    Take take = walk();
    take.motion.root_position[30].x += 200; /* cm */
    inspect(&take, NULL);
    const Finding *teleport = find(&take, FINDING_TELEPORT);
    assert_non_null(teleport);
    assert_int_equal(teleport->at.byte, 31 * POSE_BYTES + TAKE_POSITION);
    take_free(&take);
}

/* Rows are made from quaternions if the format has none. */
TEST(missing_rows_are_found_in_motion_without_rows)
{
    Take take = walk();
    Motion *m = &take.motion;
    int from = 50, lost = 2, rest = FRAMES - from - lost;
    memmove(m->root_position + from, m->root_position + from + lost, (size_t)rest * sizeof *m->root_position);
    memmove(m->rotation + motion_index(m, from, 0), m->rotation + motion_index(m, from + lost, 0),
            (size_t)rest * WALKER_JOINTS * sizeof *m->rotation);
    m->frame_count -= lost;
    inspect(&take, NULL);
    const Finding *missing = find(&take, FINDING_ROW_MISSING);
    assert_non_null(missing);
    assert_string_equal(missing->text, "2 rows are missing before frame 50; import interpolates them");
    assert_int_equal(missing->at.byte, 51 * POSE_BYTES);
    take_free(&take);
}

#define AHEAD 0.57 /* rows */

/* From row 40 on the motion is ahead by part of a row: the step may lack one, and would matter. */
TEST(doubtful_step_is_reported_and_marked)
{
    Take take = walk();
    Motion *m = &take.motion;
    ImportGuessDef def = import_guess_default_def();
    TakeVerdict verdict = {0};
    for (int f = 40; f + 1 < FRAMES; f++) {
        m->root_position[f] = vec3_lerp(m->root_position[f], m->root_position[f + 1], AHEAD);
        for (int j = 0; j < WALKER_JOINTS; j++) {
            size_t at = motion_index(m, f, j), next = motion_index(m, f + 1, j);
            m->rotation[at] = quat_slerp(m->rotation[at], quat_nearest(m->rotation[next], m->rotation[at]), AHEAD);
        }
    }
    m->frame_count--;
    assert_int_equal(take_judge(&take, &def, &verdict, NULL), STATUS_OK);
    const Finding *doubt = find(&take, FINDING_ROW_DOUBTFUL);
    assert_non_null(doubt);
    assert_string_equal(doubt->text, "a row may be missing before frame 40; torques near it are not trusted");
    assert_null(find(&take, FINDING_ROW_MISSING));
    assert_int_equal(verdict.clip.motion.frame_count, FRAMES - 1);
    int marks = 0;
    for (int i = 0; i < verdict.artifacts.count; i++) {
        const Artifact *mark = &verdict.artifacts.artifact[i];
        if (mark->kind != TRUST_LOST_ROW)
            continue;
        marks++;
        assert_true(mark->joint == ARTIFACT_WHOLE_POSE && mark->first == 39 && mark->last == 40);
    }
    assert_int_equal(marks, 1);
    take_verdict_free(&verdict);
    take_free(&take);
}

/* The rows come back, marked, and a later artifact keeps its row of the file. */
TEST(missing_rows_are_put_back_and_marked)
{
    Take take = walk(), whole = walk();
    Motion *m = &take.motion;
    ImportGuessDef def = import_guess_default_def();
    TakeVerdict verdict = {0}, sound = {0};
    int from = 40, lost = 1, rest = FRAMES - from - lost;
    assert_int_equal(take_judge(&whole, &def, &sound, NULL), STATUS_OK);
    memmove(m->root_position + from, m->root_position + from + lost, (size_t)rest * sizeof *m->root_position);
    memmove(m->rotation + motion_index(m, from, 0), m->rotation + motion_index(m, from + lost, 0),
            (size_t)rest * WALKER_JOINTS * sizeof *m->rotation);
    m->frame_count -= lost;
    m->root_position[70].x += 200; /* cm */
    assert_int_equal(take_judge(&take, &def, &verdict, NULL), STATUS_OK);
    const Motion *now = &verdict.clip.motion, *then = &sound.clip.motion;
    assert_int_equal(now->frame_count, FRAMES);
    for (int f = from - 2; f < from + 3; f++) {
        assert_vec3_near(now->root_position[f], then->root_position[f], 1e-4);
        for (int j = 0; j < WALKER_JOINTS; j++)
            assert_true(fabs(quat_dot(now->rotation[motion_index(now, f, j)],
                                      then->rotation[motion_index(then, f, j)])) > 1 - 1e-7);
    }
    int marks = 0;
    for (int i = 0; i < verdict.artifacts.count; i++) {
        const Artifact *a = &verdict.artifacts.artifact[i];
        marks += a->kind == TRUST_INTERPOLATED && a->first == from && a->last == from;
    }
    assert_int_equal(marks, 1);
    assert_int_equal(find(&take, FINDING_TELEPORT)->at.byte, 71 * POSE_BYTES + TAKE_POSITION);
    take_verdict_free(&verdict);
    take_verdict_free(&sound);
    take_free(&take);
    take_free(&whole);
}

TEST(missing_joints_of_the_family_are_reported)
{
    Take take = walk();
    Skeleton family;
    walker_skeleton(&family);
    skeleton_set_name(&family, 3, "LeftAnkle", NULL);
    inspect(&take, &family);
    const Finding *lacks = find(&take, FINDING_FAMILY);
    assert_non_null(lacks);
    assert_string_equal(lacks->text, "missing joint \"LeftAnkle\"");
    assert_int_equal(lacks->at.byte, 10);
    skeleton_free(&family);
    take_free(&take);
}

/* Without a position function and without a frame time. */
TEST(take_without_file_positions_is_inspected)
{
    Take take = walk();
    take.where = NULL;
    take.motion.frame_time = 1.0 / 31.7;
    take.motion.root_position[30].x += 200;
    inspect(&take, NULL);
    assert_int_equal(find(&take, FINDING_TELEPORT)->at.byte, 0);
    take_free(&take);
    take = walk();
    take.motion.frame_time = 0;
    inspect(&take, NULL);
    assert_null(find(&take, FINDING_FRAME_TIME)); /* reported by the reader */
    take_free(&take);
}

TEST(finding_kinds_have_distinct_names)
{
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        assert_non_null(finding_info(kind)->name);
        assert_non_null(finding_info(kind)->meaning);
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(finding_info(kind)->name, finding_info(other)->name);
    }
}
