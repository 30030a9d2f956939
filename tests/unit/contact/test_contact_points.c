/* analysis/contact/contact_points: soles from the skeleton, with and without toes; bodies without legs or height. */
#include "tests/support/test.h"

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "tests/support/puppet.h"

enum { FRAMES = 40 };

/* Walks in place: feet rest half of the time. */
static PuppetPose step_path(double t, const void *context)
{
    (void)context;
    double s = fmax(0, elementary_sin(2 * PI * t));
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.03, 0}, .sole = {{0.09, 0.1 * s, 0}, {-0.09, 0, 0}}};
}

static int points_of_foot(const ContactPoints *p, int foot)
{
    int count = 0;
    for (int i = 0; i < p->count; i++)
        count += p->point[i].foot == foot;
    return count;
}

static void points_of_a_limb_and_a_group_stand_together(const ContactPoints *p)
{
    for (int i = 1; i < p->count; i++) {
        assert_in_range(p->point[i].limb - p->point[i - 1].limb, 0, 1);
        assert_in_range(p->point[i].group - p->point[i - 1].group, 0, 1);
    }
    assert_int_equal(p->point[p->count - 1].limb, p->limb_count - 1);
    assert_int_equal(p->point[p->count - 1].group, p->group_count - 1);
}

static void puppet_points(Clip *c, ContactPoints *p)
{
    puppet_follow(c);
    assert_int_equal(contact_points_init(&contact_constants, &c->skeleton, &c->body, &c->kinematics, p, NULL),
                     STATUS_OK);
}

TEST(sole_has_heel_ball_and_toe)
{
    Clip c;
    ContactPoints p;
    puppet_clip(&c, FRAMES, 30, step_path, NULL);
    puppet_points(&c, &p);
    assert_near(p.leg_length, PUPPET_THIGH + PUPPET_SHANK, 1e-12);
    points_of_a_limb_and_a_group_stand_together(&p);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        assert_int_equal(points_of_foot(&p, foot), FOOT_POINTS);
        const ContactPoint *of = p.point + foot * FOOT_POINTS;
        for (int i = 0; i < 4; i++) /* heel and ball are at the height of the toe joint */
            assert_near(of[i].probe.y, -PUPPET_SOLE, 1e-12);
        assert_true(of[0].probe.z < 0 && of[1].probe.z < 0);
        assert_near(of[2].probe.z, 0.13, 1e-12);
        assert_near(of[2].probe.x, -of[3].probe.x, 1e-12); /* inner and outer */
        assert_string_equal(c.skeleton.name[of[4].joint], foot ? "RightToeBase" : "LeftToeBase");
    }
    contact_points_free(&p);
    clip_free(&c);
}

/* Level ends of the ankle, as of an OpenSim model's spheres of contact, draw the sole; neither two ends nor markers,
 * which are not level, do. */
TEST(three_ends_below_the_ankle_draw_the_sole)
{
    Vec3 drawn[] = {{0.01, -0.06, -0.045}, {0.05, -0.06, 0.12}, {-0.03, -0.06, 0.11}};
    for (int ends = 2; ends <= 4; ends++) { /* 4: three of which one is raised */
        Clip c;
        ContactPoints usual, p;
        puppet_clip(&c, FRAMES, 30, step_path, NULL);
        puppet_points(&c, &usual);
        Skeleton *s = &c.skeleton;
        int first = s->end_count;
        int added = ends == 4 ? 3 : ends;
        drawn[0].y = ends == 4 ? -0.03 : -0.06;
        s->end_count += added;
        s->end_parent = realloc(s->end_parent, (size_t)s->end_count * sizeof *s->end_parent);
        s->end_offset = realloc(s->end_offset, (size_t)s->end_count * sizeof *s->end_offset);
        for (int e = 0; e < added; e++) {
            s->end_parent[first + e] = skeleton_find_role(s, ROLE_LEFT_ANKLE);
            s->end_offset[first + e] = drawn[e];
        }
        puppet_points(&c, &p);
        const ContactPoint *left = p.point, *as_usual = usual.point;
        assert_near(left[0].probe.z, ends == 3 ? -0.045 : as_usual[0].probe.z, 1e-12);
        assert_near(fabs(left[2].probe.x), ends == 3 ? 0.04 : fabs(as_usual[2].probe.x), 1e-12);
        assert_near(left[0].probe.x, as_usual[0].probe.x, 1e-12); /* one end at the heel has no width */
        assert_near(left[FOOT_POINTS].probe.z, as_usual[FOOT_POINTS].probe.z, 1e-12); /* the other foot */
        contact_points_free(&p);
        contact_points_free(&usual);
        clip_free(&c);
    }
}

/* Without toe joint and end site, the sole is that of an adult foot for the same leg length. */
TEST(missing_foot_is_filled_in)
{
    Clip c;
    ContactPoints p;
    puppet_clip(&c, FRAMES, 30, step_path, NULL);
    for (int j = 0; j < WALKER_JOINTS; j++)
        if (c.skeleton.role[j] == ROLE_LEFT_TOE || c.skeleton.role[j] == ROLE_RIGHT_TOE) {
            c.skeleton.role[j] = ROLE_NONE;
            c.skeleton.offset[j] = vec3(0, 0, 0);
        }
    puppet_points(&c, &p);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const ContactPoint *of = p.point + foot * FOOT_POINTS;
        assert_int_equal(points_of_foot(&p, foot), FOOT_POINTS);
        assert_near(of[2].probe.z, 0.17 * p.leg_length, 0.01);
        assert_near(of[2].probe.y, -0.07 * p.leg_length, 1e-12);
        assert_true(of[4].probe.z > of[2].probe.z + 0.05);
    }
    contact_points_free(&p);
    clip_free(&c);
}

/* The end of a foot without toe joint is the toe tip, the ball if it is near the ankle, or weighted as both. */
TEST(foot_without_toe_joint_ends_at_its_tip_or_ball)
{
    const double end[] = {0.16, 0.26, 0.2}, ball[] = {0.16, 0.26 * 0.68, 0.2 * (0.5 + 0.5 * 0.68)}; /* L */
    for (int i = 0; i < 3; i++) {
        Clip c;
        ContactPoints p;
        puppet_clip(&c, FRAMES, 30, step_path, NULL);
        for (int j = 0; j < WALKER_JOINTS; j++)
            if (c.skeleton.role[j] == ROLE_LEFT_TOE || c.skeleton.role[j] == ROLE_RIGHT_TOE) {
                c.skeleton.role[j] = ROLE_NONE;
                c.skeleton.offset[j] = vec3(0, -PUPPET_SOLE, end[i] * (PUPPET_THIGH + PUPPET_SHANK));
            }
        puppet_points(&c, &p);
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            const ContactPoint *of = p.point + foot * FOOT_POINTS;
            assert_near(of[2].probe.z, ball[i] * p.leg_length, 0.005);
            assert_near(of[2].probe.y, -PUPPET_SOLE, 0.005);
            assert_near(of[4].probe.z, ball[i] / 0.68 * p.leg_length, 0.005);
        }
        contact_points_free(&p);
        clip_free(&c);
    }
}

/* The left foot lands on its heel and rotates at 2 rad/s throughout, with a mean of 0.25 rad toe up. */
static PuppetPose rolling_path(double t, const void *context)
{
    (void)context;
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.03, 0}, .sole = {{0.09, 0, 0}, {-0.09, 0, 0}},
                        .pitch = {2 * t - 0.65, 0}};
}

/* Its sole is then that of the other foot, which is at rest, not rotated by 0.25 rad. */
TEST(foot_without_stance_has_the_sole_of_the_other)
{
    Clip c;
    ContactPoints p;
    puppet_clip(&c, FRAMES, 100, rolling_path, NULL);
    puppet_points(&c, &p);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const ContactPoint *of = p.point + foot * FOOT_POINTS;
        Vec3 sole = vec3_sub(vec3_add(of[2].probe, of[3].probe), vec3_add(of[0].probe, of[1].probe));
        assert_near(elementary_atan2(sole.y, sole.z), 0, foot ? 1e-12 : 0.01);
    }
    contact_points_free(&p);
    clip_free(&c);
}

TEST(other_segments_have_contact_points)
{
    static const Role roles[] = {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE, ROLE_LEFT_HIP,
                                 ROLE_RIGHT_HIP, ROLE_HEAD, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};
    Clip c;
    ContactPoints p;
    puppet_clip(&c, FRAMES, 30, step_path, NULL);
    puppet_points(&c, &p);
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        int found = 0;
        for (int i = 0; i < p.count; i++)
            if (c.skeleton.role[p.point[i].joint] == roles[r]) {
                found = 1;
                assert_true(p.point[i].thickness > 0 && p.point[i].foot == -1);
                assert_false(p.group[p.point[i].group].is_sole);
            }
        assert_true(found);
    }
    contact_points_free(&p);
    clip_free(&c);
}

TEST(body_without_height_has_no_points)
{
    Clip c;
    ContactPoints p;
    puppet_clip(&c, FRAMES, 30, step_path, NULL);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        c.skeleton.role[j] = c.skeleton.segment[j] = ROLE_NONE;
        c.skeleton.offset[j] = vec3(0, 0, 0);
    }
    puppet_points(&c, &p);
    assert_int_equal(p.count, 0);
    contact_points_free(&p);
    clip_free(&c);
}
