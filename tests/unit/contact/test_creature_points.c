/* analysis/contact/creature_points: paws are the points that come to rest, even if others are lower; markers and gear
 * are not bones. */
#include "tests/support/test.h"

#include "analysis/body/body_model.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "tests/support/puppet.h"
#include "tests/support/skeleton_rows.h"

enum { FRAMES = 120 };

#define LEG(name, parent, x)                                                     \
    {name, parent, {x, -0.05, 0}, 0, {0, 0, 0}},                                 \
    {name "Lower", name, {0, -0.25, 0}, 0, {0, 0, 0}},                           \
    {name "Paw", name "Lower", {0, -0.2, 0}, 0, {0, 0, 0}},                      \
    {name "Nub", name "Paw", {0, -0.1, 0.08}, 1, {0, 0, 0}}

/* Paws on the floor, with end sites 0.1 m below it. */
static const JointRow rows[] = {
    {"Root", NULL, {0, 0.5, 0}, 0, {0, 0, 0}},
    {"Spine", "Root", {0, 0, 0.3}, 0, {0, 0, 0}},
    {"Chest", "Spine", {0, 0, 0.3}, 0, {0, 0, 0}},
    {"Head", "Chest", {0, 0.1, 0.15}, 1, {0, 0, 0.15}},
    LEG("LF", "Chest", 0.1), LEG("RF", "Chest", -0.1), LEG("LH", "Root", 0.1), LEG("RH", "Root", -0.1),
    {"Plate", "Spine", {0, 0.15, 0}, 0, {0, 0, 0}},
    {"Marker", "LFLower", {0, -0.2, 0.3}, 0, {0, 0, 0}},
};
enum { JOINTS = sizeof rows / sizeof *rows };

/* Stands still except for the paws, which rotate continuously, and the marker, which moves on its own. */
static void pawing(Clip *c, ContactPoints *p)
{
    *c = (Clip){0};
    BodyDef body = body_default_def();
    DifferenceDef difference = difference_default_def();
    body.model = BODY_CAPSULES;
    skeleton_from_rows(&c->skeleton, rows, JOINTS);
    assert_int_equal(motion_init(&c->motion, FRAMES, JOINTS, 0.01, 1, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        c->motion.root_position[f] = vec3(0, 0.5, 0);
        for (int j = 0; j < JOINTS; j++) {
            size_t i = motion_index(&c->motion, f, j);
            double turn = strstr(rows[j].name, "Paw") ? 0.8 * elementary_sin(0.15 * f) : 0;
            c->motion.rotation[i] = quat_from_axis_angle(vec3(1, 0, 0), turn);
            c->motion.translation[i] = rows[j].offset;
            if (strcmp(rows[j].name, "Marker") == 0)
                c->motion.translation[i].z += 0.01 * f;
        }
    }
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_points_init(&contact_constants, &c->skeleton, &c->body, &c->kinematics, p, NULL),
                     STATUS_OK);
    c->has_body = c->has_kinematics = 1;
}

/* The bone that ends at a point: the row with that position. */
static const char *end_of(const ContactPoint *p)
{
    for (int j = 1; j < JOINTS; j++)
        if (row_index(rows, JOINTS, rows[j].parent) == p->joint && vec3_distance(rows[j].offset, p->position) < 1e-9)
            return rows[j].name;
    return "end";
}

TEST(paws_are_the_ends_that_rest)
{
    Clip c;
    ContactPoints p;
    int paws = 0;
    pawing(&c, &p);
    for (int i = 0; i < p.count; i++) {
        const char *name = end_of(&p.point[i]);
        assert_null(strstr(name, "Nub"));
        if (!strstr(name, "Paw"))
            continue;
        paws++;
        assert_true(p.group[p.point[i].group].is_sole);
        assert_near(p.point[i].thickness, 0, 0);
        assert_int_equal(p.point[i].proximal, row_index(rows, JOINTS, (char[]){name[0], name[1], 0}));
    }
    assert_int_equal(paws, 4);
    contact_points_free(&p);
    clip_free(&c);
}

TEST(markers_and_gear_have_no_points)
{
    Clip c;
    ContactPoints p;
    pawing(&c, &p);
    for (int i = 0; i < p.count; i++) {
        assert_string_not_equal(end_of(&p.point[i]), "Plate");
        if (p.point[i].joint == row_index(rows, JOINTS, "LFLower")) /* parent of the marker */
            assert_string_equal(end_of(&p.point[i]), "LFPaw");
        if (strcmp(end_of(&p.point[i]), "Chest") == 0) /* the trunk has the thickness of its capsule */
            assert_true(p.point[i].thickness > 0.03);
    }
    contact_points_free(&p);
    clip_free(&c);
}

TEST(creature_without_height_has_no_points)
{
    Clip c;
    ContactPoints p, none;
    pawing(&c, &p);
    for (int i = 0; i < FRAMES * JOINTS; i++)
        c.kinematics.position[i] = vec3(0, 0, 0);
    assert_int_equal(contact_points_init(&contact_constants, &c.skeleton, &c.body, &c.kinematics, &none, NULL),
                     STATUS_OK);
    assert_int_equal(none.count, 0);
    contact_points_free(&none);
    contact_points_free(&p);
    clip_free(&c);
}
