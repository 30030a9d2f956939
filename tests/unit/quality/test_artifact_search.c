/* analysis/quality/artifact_search: sustained artifacts of a walker are found with their kind, joint, frames and
 * size. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/quality/artifact_bridge.h"
#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/source_trust.h"
#include "tests/support/sustained_artifact.h"
#include "tests/support/walker.h"

enum { FRAMES = 480, FPS = 120, ROOT = 0 };

/* A body that stands for 4 s, or walks, and its artifacts. */
typedef struct Case {
    Skeleton skeleton;
    Motion sound, motion;
    Artifacts faults;
} Case;

/* The standing body sways, so that no joint is frozen. */
static void stand(Motion *m, int frame)
{
    for (int j = 0; j < WALKER_JOINTS; j++) {
        Quat sway = quat_from_axis_angle(vec3(1, 0, 0), 0.01 * sin(0.01 * frame + j));
        m->rotation[motion_index(m, frame, j)] = quat_mul(m->rotation[j], sway);
    }
    m->root_position[frame] = vec3_add(m->root_position[0], vec3(0.004 * sin(0.02 * frame), 0, 0));
}

static Case new_case(int walks)
{
    Case c = {0};
    walker_skeleton(&c.skeleton);
    walker_motion(&c.sound, FRAMES, FPS);
    for (int f = 1; f < FRAMES && !walks; f++)
        stand(&c.sound, f);
    motion_make_continuous(&c.sound);
    assert_int_equal(motion_copy(&c.motion, &c.sound, NULL), STATUS_OK);
    return c;
}

static void find(Case *c)
{
    assert_int_equal(artifacts_find(&c->skeleton, &c->motion, &c->faults, NULL), STATUS_OK);
}

/* The only artifact of the kind. */
static Artifact only(const Case *c, TrustReason kind)
{
    Artifact found = {0};
    int count = 0;
    for (int i = 0; i < c->faults.count; i++)
        if (c->faults.artifact[i].kind == kind) {
            found = c->faults.artifact[i];
            count++;
        }
    assert_int_equal(count, 1);
    return found;
}

static void end(Case *c)
{
    skeleton_free(&c->skeleton);
    motion_free(&c->sound);
    motion_free(&c->motion);
    artifacts_free(&c->faults);
}

TEST(flicker_of_two_degrees_is_found)
{
    enum { JOINT = 14, FIRST = 180, LAST = 299 };
    Case c = new_case(1);
    Sustained plant = {.kind = SUSTAINED_FLICKER, .joint = JOINT, .first = FIRST, .last = LAST, .shape = 2,
                       .size = 2 * PI / 180, .axis = {0.6, 0, 0.8}, .seed = 5};
    sustained_apply(&c.skeleton, NULL, &c.motion, &plant);
    find(&c);
    Artifact fault = only(&c, TRUST_FLICKER);
    assert_int_equal(fault.joint, JOINT);
    assert_in_range(fault.first, FIRST - 30, FIRST + 30);
    assert_in_range(fault.last, LAST - 30, LAST + 30);
    assert_near(fault.size, 2 * PI / 180, 0.6 * PI / 180);
    end(&c);
}

TEST(body_rising_with_its_feet_is_drift)
{
    Case c = new_case(0);
    for (int f = 0; f < FRAMES; f++)
        c.motion.root_position[f].y += 0.2 * f / FPS;
    find(&c);
    assert_int_equal(c.faults.count, 1);
    Artifact fault = only(&c, TRUST_DRIFT);
    assert_int_equal(fault.joint, ROOT);
    assert_in_range(fault.first, 0, 12);
    assert_in_range(fault.last, FRAMES - 13, FRAMES - 1);
    assert_near(fault.size, 0.2, 0.01);
    end(&c);
}

/* Stairs, one step down per half second: the lowest points are not on a line, but flat feet change height. */
TEST(drift_on_stairs_is_found)
{
    enum { TREAD = 60, GOES_DOWN = 6 };
    for (int drifts = 0; drifts < 2; drifts++) {
        Case c = new_case(0);
        for (int f = 0; f < FRAMES; f++) {
            double down = fmax(0, f % TREAD - (TREAD - GOES_DOWN)) / GOES_DOWN;
            c.motion.root_position[f].y += drifts * 0.15 * f / FPS - 0.17 * (f / TREAD + down);
        }
        assert_int_equal(artifact_ground_find(&c.skeleton, &c.motion, &c.faults, NULL), STATUS_OK);
        assert_int_equal(c.faults.count, drifts);
        if (drifts) {
            assert_int_equal(c.faults.artifact[0].kind, TRUST_DRIFT);
            assert_near(c.faults.artifact[0].size, 0.15, 0.01);
            assert_true(c.faults.artifact[0].last - c.faults.artifact[0].first > 0.9 * FRAMES);
        }
        end(&c);
    }
}

/* A take with one stance and one flight is judged as a whole. */
TEST(drift_of_a_short_take_is_found)
{
    Case c = new_case(0);
    c.motion.frame_count = 66;
    for (int f = 0; f < c.motion.frame_count; f++)
        c.motion.root_position[f].y += 0.3 * f / FPS;
    assert_int_equal(artifact_ground_find(&c.skeleton, &c.motion, &c.faults, NULL), STATUS_OK);
    Artifact fault = only(&c, TRUST_DRIFT);
    assert_int_equal(fault.first, 0);
    assert_int_equal(fault.last, 65);
    assert_near(fault.size, 0.3, 0.01);
    end(&c);
}

TEST(body_moving_over_static_feet_is_sliding)
{
    enum { FIRST = 200, LAST = 319 };
    Case c = new_case(0);
    for (int f = FIRST; f < FRAMES; f++)
        c.motion.root_position[f].z += 0.5 * (f < LAST ? f - FIRST : LAST - FIRST) / FPS;
    find(&c);
    assert_int_equal(c.faults.count, 1);
    Artifact fault = only(&c, TRUST_SLIDING);
    assert_int_equal(fault.joint, ROOT);
    assert_in_range(fault.first, FIRST - 5, FIRST + 5);
    assert_in_range(fault.last, LAST - 5, LAST + 5);
    assert_near(fault.size, 0.5, 0.03);
    end(&c);
}

/* Swaps the legs from frame FIRST to LAST; mirrored, or rotation by rotation. */
static void exchange_legs(Case *c, int shape, int first, int last)
{
    Mirror mirror;
    Sustained plant = {.kind = SUSTAINED_SWAP, .joint = 1, .other = 5, .first = first, .last = last, .shape = shape};
    assert_int_equal(mirror_init(&mirror, &c->skeleton, &c->motion, NULL), STATUS_OK);
    sustained_apply(&c->skeleton, &mirror, &c->motion, &plant);
    mirror_free(&mirror);
}

TEST(exchanged_legs_are_found)
{
    for (int shape = 0; shape < 2; shape++) {
        Case c = new_case(1);
        exchange_legs(&c, shape, 150, 185);
        find(&c);
        Artifact fault = only(&c, TRUST_SWAPPED);
        assert_int_equal(fault.joint, 1);
        assert_int_equal(fault.first, 150);
        assert_int_equal(fault.last, 185);
        end(&c);
    }
}

static double farthest_turn(const Case *c, int first, int last)
{
    double max = 0;
    for (int f = first; f <= last; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            size_t at = motion_index(&c->motion, f, j);
            Quat off = quat_mul(c->motion.rotation[at], quat_conjugate(c->sound.rotation[at]));
            max = fmax(max, 2 * vec3_norm(quat_log(off)));
        }
    return max;
}

TEST(exchanged_legs_are_bridged_before_the_filter)
{
    Case c = new_case(1);
    Trust trust;
    TakenSteps taken = {0};
    exchange_legs(&c, 0, 150, 185);
    assert_true(farthest_turn(&c, 150, 185) > 0.75);
    assert_int_equal(source_trust(&c.skeleton, &c.motion, &trust, NULL), STATUS_OK);
    assert_int_equal(artifact_bridge(&c.skeleton, &trust, &c.motion, &taken, NULL), STATUS_OK);
    assert_true(farthest_turn(&c, 150, 185) < 0.25);
    assert_near(farthest_turn(&c, 0, 149), 0, 1e-9);
    assert_near(farthest_turn(&c, 186, FRAMES - 1), 0, 1e-9);
    taken_steps_free(&taken);
    trust_free(&trust);
    end(&c);
}

TEST(duplicated_rows_are_found)
{
    Case c = new_case(1);
    sustained_double(&c.motion);
    find(&c);
    assert_int_equal(c.faults.count, 1);
    Artifact fault = only(&c, TRUST_REPEATED);
    assert_int_equal(fault.joint, ARTIFACT_WHOLE_POSE);
    assert_int_equal(fault.first, 0);
    assert_int_equal(fault.last, FRAMES - 1);
    assert_near(fault.size, 2, 0);
    end(&c);
}

/* If any joint moves in each row, the rows are not duplicates. */
TEST(row_with_one_moving_joint_is_not_duplicated)
{
    for (int j = 0; j <= WALKER_JOINTS; j++) {
        Case c = new_case(1);
        sustained_double(&c.motion);
        for (int f = 0; f < FRAMES; f++)
            if (j < WALKER_JOINTS)
                c.motion.rotation[motion_index(&c.motion, f, j)] = quat_from_axis_angle(vec3(1, 0, 0), 0.01 * f);
            else
                c.motion.root_position[f].x = 0.01 * f;
        assert_int_equal(artifact_repeats_find(&c.skeleton, &c.motion, &c.faults, NULL), STATUS_OK);
        assert_int_equal(c.faults.count, 0);
        end(&c);
    }
}

TEST(clean_walk_has_no_artifacts)
{
    Case c = new_case(0);
    find(&c);
    assert_int_equal(c.faults.count, 0);
    end(&c);
}
