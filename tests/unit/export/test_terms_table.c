/* formats/export/terms_table: fractions, lever arms and the moments about the joint's axes. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/table.h"
#include "formats/export/terms_table.h"
#include "tests/support/sample_clip.h"

enum { FRAMES = 4, JOINTS = 5, JOINT = 1, FRAME = 2 };

typedef struct Case {
    Clip clip;
    TorqueTerms terms;
    Table table;
} Case;

static double cell(const Case *c, int row, const char *column)
{
    int at = table_find(&c->table, column);
    assert_true(at >= 0);
    return strtod(c->table.cell[row * c->table.column_count + at], NULL);
}

/* The table of one frame, or the series. */
static void fill(Case *c, int has_axes, int is_series)
{
    char *text = NULL;
    size_t size;
    assert_int_equal(sample_clip(&c->clip, FRAMES, JOINTS, 4), 0);
    TermsSubject subject = {&c->clip, JOINT, ROW_TSV};
    ClipView view = clip_view(&c->clip);
    if (!has_axes)
        c->clip.has_angles = 0;
    assert_int_equal(torque_terms_init(&c->terms, &view, NULL, 0, NULL), STATUS_OK);
    torque_terms_at(&c->terms, FRAME);
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(is_series ? terms_series(&subject, &c->terms, stream, NULL)
                               : terms_table(&subject, &c->terms, FRAME, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(table_parse(text, size, &c->table, NULL), STATUS_OK);
    free(text);
}

static void finish(Case *c)
{
    table_free(&c->table);
    torque_terms_free(&c->terms);
    clip_free(&c->clip);
}

TEST(table_has_one_row_per_term_and_the_torque)
{
    Case c;
    fill(&c, 1, 0);
    assert_int_equal(c.table.row_count, TERM_COUNT + 3);
    const TermLoad *gravity = &joint_torque_terms(&c.terms, JOINT)[TERM_GRAVITY];
    size_t at = (size_t)FRAME * JOINTS + JOINT;
    Vec3 torque = c.clip.dynamics.torque[at];
    assert_near(cell(&c, 0, "moment_x_nm"), gravity->moment.x, 1e-12);
    assert_near(cell(&c, 0, "force_y_n"), gravity->force.y, 1e-12);
    assert_near(cell(&c, 0, "lever_arm_m"), vec3_norm(term_lever_arm(gravity)), 1e-12);
    assert_near(cell(&c, 0, "fraction"), vec3_dot(gravity->moment, torque) / vec3_dot(torque, torque), 1e-12);
    assert_near(cell(&c, TERM_COUNT, "moment_nm"), vec3_norm(torque), 1e-12);
    assert_near(cell(&c, TERM_COUNT, "fraction"), 1, 1e-12);
    /* couples have no lever arm */
    int arm = table_find(&c.table, "lever_arm_m");
    assert_string_equal(c.table.cell[TERM_GYROSCOPIC * c.table.column_count + arm], "");
    /* the second joint's coordinates are those of the left knee */
    Vec3 axis = c.clip.angles.axis[joint_angles_index(&c.clip.angles, FRAME, 4)];
    assert_near(cell(&c, TERM_COUNT, "left_knee_adduction_nm"), vec3_dot(torque, axis), 1e-12);
    finish(&c);
}

/* About each axis the passive moment is that of /angles, unless unknown. */
TEST(passive_and_active_sum_to_the_torque)
{
    Case c;
    fill(&c, 1, 0);
    const JointAngles *a = &c.clip.angles;
    Vec3 torque = c.clip.dynamics.torque[(size_t)FRAME * JOINTS + JOINT];
    int passive = TERM_COUNT + 1, active = TERM_COUNT + 2;
    assert_near(cell(&c, passive, "moment_x_nm") + cell(&c, active, "moment_x_nm"), torque.x, 1e-9);
    assert_near(cell(&c, passive, "moment_y_nm") + cell(&c, active, "moment_y_nm"), torque.y, 1e-9);
    assert_near(cell(&c, passive, "moment_z_nm") + cell(&c, active, "moment_z_nm"), torque.z, 1e-9);
    assert_near(cell(&c, passive, "fraction") + cell(&c, active, "fraction"), 1, 1e-9);
    assert_near(cell(&c, passive, "left_knee_flexion_nm"), a->passive[joint_angles_index(a, FRAME, 3)], 1e-9);
    assert_near(cell(&c, passive, "left_knee_rotation_nm"), a->passive[joint_angles_index(a, FRAME, 5)], 1e-9);
    finish(&c);
}

TEST(unknown_passive_moments_are_empty)
{
    Case c;
    char *text = NULL;
    size_t size;
    fill(&c, 1, 0);
    TermsSubject subject = {&c.clip, JOINT, ROW_JSONL};
    for (int i = 3; i < 6; i++)
        c.clip.angles.passive[joint_angles_index(&c.clip.angles, FRAME, i)] = NAN;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(terms_table(&subject, &c.terms, FRAME, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_non_null(strstr(text, "{\"term\":\"passive\",\"moment_x_nm\":null,"));
    free(text);
    finish(&c);
}

TEST(clip_without_angles_uses_world_axes)
{
    Case c;
    fill(&c, 0, 0);
    assert_int_equal(table_find(&c.table, "left_knee_adduction_nm"), -1);
    assert_int_equal(c.table.column_count, 10);
    finish(&c);
}

TEST(zero_torque_has_no_fractions)
{
    Case c;
    char *text = NULL;
    size_t size;
    fill(&c, 1, 0);
    c.clip.dynamics.torque[(size_t)FRAME * JOINTS + JOINT] = vec3(0, 0, 0);
    TermsSubject subject = {&c.clip, JOINT, ROW_JSONL};
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(terms_table(&subject, &c.terms, FRAME, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_non_null(strstr(text, "\"fraction\":null"));
    free(text);
    finish(&c);
}

TEST(series_has_one_row_per_frame)
{
    Case c;
    fill(&c, 1, 1);
    assert_int_equal(c.table.row_count, FRAMES);
    torque_terms_at(&c.terms, 1);
    const TermLoad *inertia = &joint_torque_terms(&c.terms, JOINT)[TERM_LINEAR_INERTIA];
    Vec3 axis = c.clip.angles.axis[joint_angles_index(&c.clip.angles, 1, 3)];
    assert_near(cell(&c, 1, "linear_inertia_z_nm"), inertia->moment.z, 1e-9);
    assert_near(cell(&c, 1, "linear_inertia_left_knee_flexion_nm"), vec3_dot(inertia->moment, axis), 1e-9);
    assert_near(cell(&c, 1, "passive_y_nm") + cell(&c, 1, "active_y_nm"), c.clip.dynamics.torque[JOINTS + JOINT].y,
                1e-9);
    assert_near(cell(&c, 1, "torque_y_nm"), c.clip.dynamics.torque[JOINTS + JOINT].y, 1e-12);
    assert_near(cell(&c, 0, "trusted"), 0, 0); /* the first frame is not valid */
    assert_near(cell(&c, 1, "trusted"), 1, 0);
    assert_near(cell(&c, 1, "confidence"), c.clip.contact.confidence[1], 0);
    finish(&c);
}
