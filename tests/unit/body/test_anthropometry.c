/* analysis/body/anthropometry: masses of a human, of a creature, and models of bodies. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/body/capsules.h"
#include "analysis/body/human_rest.h"
#include "analysis/body/mass_sum.h"
#include "analysis/body/roles.h"
#include "analysis/body/segment_table.h"
#include "analysis/math/elementary.h"
#include "tests/support/skeleton_rows.h"

/* The parts of a bar have its mass, centre of mass and inertia. */

/* Uniform thin bar of mass m and length l along n, centre c: I = m l^2 / 12 (1 - n n^T). */
static void add_bar(MassSum *lump, double mass, Vec3 centre, Vec3 n, double length)
{
    SecondMoments spread = {.square = {length * length / 12, 0, 0}};
    spread.axis[0] = n;
    axes_complete(n, vec3(0, 0, 1), &spread.axis[1], &spread.axis[2]);
    mass_sum_add(lump, mass, centre, &spread);
}

TEST(three_thirds_sum_to_the_segment)
{
    Vec3 n = vec3_normalize(vec3(1, 2, -2)), centre = {0.3, -0.1, 0.5};
    MassSum whole = {0}, parts = {0};
    Body b;
    assert_int_equal(body_init(&b, 2, NULL), STATUS_OK);
    add_bar(&whole, 3, centre, n, 0.9);
    for (int i = -1; i <= 1; i++)
        add_bar(&parts, 1, vec3_mad(centre, 0.3 * i, n), n, 0.3);
    mass_sum_finish(&whole, &b, 0);
    mass_sum_finish(&parts, &b, 1);
    assert_near(b.mass[1], 3, 1e-15);
    assert_vec3_near(b.com[1], centre, 1e-15);
    double i = 3 * 0.9 * 0.9 / 12;
    for (int j = 0; j < 2; j++) {
        assert_near(b.inertia[j].xx, i * (1 - n.x * n.x), 1e-15);
        assert_near(b.inertia[j].zz, i * (1 - n.z * n.z), 1e-15);
        assert_near(b.inertia[j].xy, -i * n.x * n.y, 1e-15);
        assert_near(b.inertia[j].yz, -i * n.y * n.z, 1e-15);
    }
    body_free(&b);
}

TEST(empty_mass_sum_has_no_mass)
{
    MassSum empty = {0};
    Body b;
    assert_int_equal(body_init(&b, 1, NULL), STATUS_OK);
    b.mass[0] = b.com[0].x = b.inertia[0].xx = 7;
    mass_sum_finish(&empty, &b, 0);
    assert_near(b.mass[0], 0, 0);
    assert_near(b.com[0].x, 0, 0);
    assert_near(b.inertia[0].xx, 0, 0);
    body_free(&b);
}

/* Right-handed unit axes, also if the hint is parallel to the first one. */
TEST(axes_are_right_handed)
{
    const Vec3 hints[] = {{0, 0, 1}, {1, 2, -2}, {0, 0, 0}};
    Vec3 n = vec3_normalize(vec3(1, 2, -2)), u, v;
    for (int i = 0; i < 3; i++) {
        axes_complete(n, hints[i], &u, &v);
        assert_near(vec3_norm(u), 1, 1e-15);
        assert_near(vec3_dot(u, n), 0, 1e-15);
        assert_vec3_near(vec3_cross(n, u), v, 0);
    }
    axes_complete(n, hints[0], &u, &v);
    assert_true(vec3_dot(u, hints[0]) > 0.7);
}

/* Volumes in closed form, and trees without volume. */

/* One bone of length L and radius r: mass rho (pi r^2 L + 4/3 pi r^3), centre of mass in the middle, and the inertia of
 * the capsule: along 1/2 m_rod r^2 + 2/5 m_ball r^2; across by the parallel-axis theorem for two half spheres. */
TEST(one_bone_has_capsule_inertia)
{
    static const JointRow rows[] = {{"bone", NULL, {0, 0, 0}, 1, {0, 0.6, 0}}};
    Skeleton s;
    Body b;
    skeleton_from_rows(&s, rows, 1);
    assert_int_equal(capsules_from_skeleton(&s, 0, &b, NULL), STATUS_OK);
    double l = 0.6, r = sqrt(CAPSULE_SLENDERNESS * l * l), rod = 1000 * PI * r * r * l,
           ball = 1000 * 4.0 / 3 * PI * r * r * r;
    assert_near(b.mass[0], rod + ball, 1e-12);
    assert_near(b.total_mass, b.mass[0], 0);
    assert_vec3_near(b.com[0], vec3(0, 0.3, 0), 1e-15);
    assert_near(b.inertia[0].yy, 0.5 * rod * r * r + 0.4 * ball * r * r, 1e-14);
    double across = rod * (l * l / 12 + r * r / 4) + ball * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r);
    assert_near(b.inertia[0].xx, across, 1e-14);
    assert_near(b.inertia[0].zz, across, 1e-14);
    body_free(&b);
    skeleton_free(&s);
}

TEST(given_mass_scales_the_body)
{
    Skeleton s;
    Body own, given;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    assert_int_equal(capsules_from_skeleton(&s, 0, &own, NULL), STATUS_OK);
    assert_true(own.total_mass > 40 && own.total_mass < 100); /* a person's */
    assert_int_equal(capsules_from_skeleton(&s, 30, &given, NULL), STATUS_OK);
    double sum = 0, factor = 30 / own.total_mass;
    for (int j = 0; j < s.joint_count; j++) {
        sum += given.mass[j];
        assert_near(given.inertia[j].xx, factor * own.inertia[j].xx, 1e-15);
        assert_vec3_near(given.com[j], own.com[j], 0);
    }
    assert_near(sum, 30, 1e-13);
    assert_string_equal(given.model, "capsules");
    body_free(&own);
    body_free(&given);
    skeleton_free(&s);
}

TEST(skeleton_without_length_is_refused)
{
    static const JointRow rows[] = {{"a", NULL, {1, 2, 3}, 0, {0, 0, 0}}, {"b", "a", {0, 0, 0}, 0, {0, 0, 0}}};
    Skeleton s;
    Body b;
    Error err;
    skeleton_from_rows(&s, rows, 2);
    assert_int_equal(capsules_from_skeleton(&s, 0, &b, &err), STATUS_BAD_INPUT);
    assert_null(b.mass);
    skeleton_free(&s);
}

/* Each model has a name and builds its own body; auto selects one; tables are used
 * unchanged. */

static void figure(Skeleton *s)
{
    skeleton_from_rows(s, humanoid_rows, HUMANOID_JOINTS);
    assert_int_equal(roles_assign(s, &(RoleSigns){0}, NULL), STATUS_OK);
}

TEST(body_stores_its_model)
{
    Skeleton s;
    figure(&s);
    for (BodyModel m = BODY_DELEVA; m <= BODY_CAPSULES; m++) {
        Body b;
        assert_int_equal(body_from_skeleton(&s, &(BodyDef){.mass = 60, .model = m}, &b, NULL), STATUS_OK);
        assert_int_equal(body_model_find(&b), m);
        assert_near(b.total_mass, 60, 0);
        body_free(&b);
    }
    assert_null(body_model_names[BODY_MODEL_COUNT]);
    assert_int_equal(body_model_find(&(Body){.model = "clay"}), BODY_AUTO);
    skeleton_free(&s);
}

TEST(auto_selects_human_model_by_roles)
{
    Skeleton s;
    Body b;
    BodyDef def = body_default_def();
    figure(&s);
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_find(&b), BODY_DELEVA);
    assert_near(b.total_mass, BODY_HUMAN_MASS, 0);
    body_free(&b);
    for (int j = 0; j < s.joint_count; j++)
        s.role[j] = ROLE_NONE;
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_find(&b), BODY_CAPSULES);
    body_free(&b);
    skeleton_free(&s);
}

TEST(segment_table_is_copied)
{
    Skeleton s;
    Body table, b, small;
    Error err;
    figure(&s);
    assert_int_equal(body_init(&table, s.joint_count, NULL), STATUS_OK);
    strcpy(table.model, "segments");
    for (int j = 0; j < s.joint_count; j++) {
        table.mass[j] = 1 + j;
        table.com[j] = vec3(j, 2, 3);
        table.inertia[j] = (Sym3){1, 2, j, 0, 0.5, 0};
        table.total_mass += table.mass[j];
    }
    BodyDef def = {.model = BODY_SEGMENTS, .segments = &table};
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_find(&b), BODY_SEGMENTS);
    assert_near(b.total_mass, table.total_mass, 0);
    assert_ptr_not_equal(b.mass, table.mass);
    assert_memory_equal(b.inertia, table.inertia, (size_t)s.joint_count * sizeof *b.inertia);
    assert_vec3_near(b.com[3], vec3(3, 2, 3), 0);
    body_free(&b);
    assert_int_equal(body_init(&small, 2, NULL), STATUS_OK);
    def.segments = &small;
    assert_int_equal(body_from_skeleton(&s, &def, &b, &err), STATUS_USAGE);
    def.segments = NULL;
    assert_int_equal(body_from_skeleton(&s, &def, &b, &err), STATUS_USAGE);
    assert_null(b.mass);
    body_free(&small);
    body_free(&table);
    skeleton_free(&s);
}

/* The tabulated body of a human skeleton, and invariants for any skeleton. */

static Body build(const Skeleton *s, BodyDef def)
{
    Body b;
    Error err;
    if (body_from_skeleton(s, &def, &b, &err))
        print_error("%s\n", err.text);
    return b;
}

static double mass_of(const Body *b, const Skeleton *s, const char *name) { return b->mass[skeleton_find(s, name)]; }

static double sum(const Body *b)
{
    double total = 0;
    for (int j = 0; j < b->joint_count; j++)
        total += b->mass[j];
    return total;
}

/* Positive semi-definite and within the triangle inequality: 1/2 tr(I) 1 - I is semi-definite. */
static void assert_physical(const Body *b)
{
    for (int j = 0; j < b->joint_count; j++) {
        Sym3 i = b->inertia[j];
        double t = i.xx + i.yy + i.zz, h = 0.5 * t, tiny = 1e-12 * t;
        double a = h - i.xx, c = h - i.yy, d = h - i.zz;
        assert_true(b->mass[j] >= 0);
        assert_true(isfinite(t) && (b->mass[j] > 0) == (t > 0));
        assert_true(a >= -tiny && c >= -tiny && d >= -tiny);
        assert_true(a * c - i.xy * i.xy >= -tiny * t && a * d - i.xz * i.xz >= -tiny * t &&
                    c * d - i.yz * i.yz >= -tiny * t);
        double det = a * (c * d - i.yz * i.yz) + i.xy * (-i.xy * d - i.yz * i.xz) - i.xz * (i.xy * i.yz + c * i.xz);
        assert_true(det >= -tiny * t * t);
    }
}

TEST(masses_sum_to_the_total)
{
    Skeleton s;
    figure(&s);
    const double totals[] = {70, 62.6, 0.1, 85.26984854173148, 1e3 / 3};
    for (Sex sex = SEX_MEAN; sex <= SEX_FEMALE; sex++)
        for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
            Body b = build(&s, (BodyDef){.mass = totals[i], .sex = sex});
            assert_near(sum(&b), totals[i], 2.3e-16 * totals[i]); /* one unit in the last place */
            assert_near(b.total_mass, totals[i], 0);
            assert_physical(&b);
            body_free(&b);
        }
    skeleton_free(&s);
}

TEST(segment_parts_equal_the_table)
{
    Skeleton s;
    figure(&s);
    Body b = build(&s, (BodyDef){.mass = 100, .sex = SEX_MALE});
    assert_string_equal(b.model, "deleva male");
    assert_near(mass_of(&b, &s, "LeftUpLeg"), 14.16, 1e-12);
    assert_near(mass_of(&b, &s, "LeftLeg"), 4.33, 1e-12);
    assert_near(mass_of(&b, &s, "LeftFoot") + mass_of(&b, &s, "LeftToeBase"), 1.37, 1e-12);
    assert_near(mass_of(&b, &s, "Neck") + mass_of(&b, &s, "Head"), 6.94, 1e-12);
    double trunk =
        mass_of(&b, &s, "Hips") + mass_of(&b, &s, "Spine") + mass_of(&b, &s, "Spine1") + mass_of(&b, &s, "Spine2");
    assert_near(trunk, 43.46, 1e-12);
    assert_true(mass_of(&b, &s, "Hips") >= 11.17);
    assert_near(mass_of(&b, &s, "LeftShoulder"), 0, 0);
    int thigh = skeleton_find(&s, "LeftUpLeg");
    assert_vec3_near(b.com[thigh], vec3(0, -0.4095 * 0.425, 0), 1e-12); /* along the bone */
    assert_near(b.inertia[thigh].xx, 14.16 * 0.329 * 0.329 * 0.425 * 0.425, 1e-12);
    assert_near(b.inertia[thigh].yy, 14.16 * 0.149 * 0.149 * 0.425 * 0.425, 1e-12);
    /* in T-pose: x along, y the flexion axis, z forwards; the trunk leans back by one degree */
    int arm = skeleton_find(&s, "LeftArm");
    assert_near(b.inertia[arm].xx, 2.71 * 0.158 * 0.158 * 0.28 * 0.28, 1e-12);
    assert_near(b.inertia[arm].yy, 2.71 * 0.269 * 0.269 * 0.28 * 0.28, 1e-6);
    assert_near(b.inertia[arm].zz, 2.71 * 0.285 * 0.285 * 0.28 * 0.28, 1e-6);
    body_free(&b);
    skeleton_free(&s);
}

/* Splitting the trunk by joints preserves its mass, centre of mass and inertia. */
TEST(spine_joints_preserve_trunk_inertia)
{
    Vec3 com[2];
    double mass[2], moment[2];
    for (int many = 0; many < 2; many++) {
        JointRow rows[HUMANOID_JOINTS];
        Skeleton s;
        memcpy(rows, humanoid_rows, sizeof rows);
        if (!many) { /* all spine joints at the height of the first */
            rows[2].offset = rows[3].offset = vec3(0, 0, 0);
            for (int j = 4; j < HUMANOID_JOINTS; j++)
                if (rows[j].parent && strcmp(rows[j].parent, "Spine2") == 0)
                    rows[j].offset.y += 0.24;
        }
        skeleton_from_rows(&s, rows, HUMANOID_JOINTS);
        assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
        Body b = build(&s, (BodyDef){.mass = 70});
        Vec3 rest[HUMANOID_JOINTS];
        skeleton_rest_positions(&s, rest);
        com[many] = vec3(0, 0, 0), mass[many] = moment[many] = 0;
        for (int j = 0; j < 4; j++) {
            Vec3 r = vec3_add(rest[j], b.com[j]);
            com[many] = vec3_mad(com[many], b.mass[j], r);
            mass[many] += b.mass[j];
            moment[many] += b.inertia[j].xx + b.mass[j] * (r.y * r.y + r.z * r.z);
        }
        if (!many) {
            assert_near(mass_of(&b, &s, "Spine"), 0, 0); /* zero-length bones have no mass */
            assert_near(mass_of(&b, &s, "Spine1"), 0, 0);
            assert_true(mass_of(&b, &s, "Spine2") > 15);
        }
        body_free(&b);
        skeleton_free(&s);
    }
    assert_near(mass[1], mass[0], 1e-12);
    assert_vec3_near(com[1], com[0], 1e-12);
    assert_near(moment[1], moment[0], 1e-12);
}

/* 3.5 % of the trunk length behind a straight spine above the hip joints, for any facing direction. */
TEST(trunk_lies_behind_hips_and_neck)
{
    for (int turned = 0; turned < 2; turned++) {
        JointRow rows[HUMANOID_JOINTS];
        Skeleton s;
        Vec3 rest[HUMANOID_JOINTS], com = {0, 0, 0};
        double mass = 0;
        memcpy(rows, humanoid_rows, sizeof rows);
        rows[1].offset.z = 0;
        for (int j = 0; j < HUMANOID_JOINTS && turned; j++) { /* faces +X instead of +Z */
            Vec3 o = rows[j].offset, e = rows[j].end_offset;
            rows[j].offset = vec3(o.z, o.y, -o.x);
            rows[j].end_offset = vec3(e.z, e.y, -e.x);
        }
        skeleton_from_rows(&s, rows, HUMANOID_JOINTS);
        assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
        Body b = build(&s, body_default_def());
        skeleton_rest_positions(&s, rest);
        Vec3 middle = vec3_add(rest[0], vec3(0, -0.06, 0)), line = vec3_sub(rest[4], middle);
        for (int j = 0; j < 4; j++) {
            com = vec3_mad(com, b.mass[j], vec3_sub(vec3_add(rest[j], b.com[j]), middle));
            mass += b.mass[j];
        }
        com = vec3_scale(com, 1 / mass);
        Vec3 left = turned ? vec3(0, 0, -1) : vec3(1, 0, 0), front = vec3_cross(left, vec3_normalize(line));
        assert_near(vec3_dot(com, front), -0.035 * vec3_norm(line), 1e-12);
        assert_near(vec3_dot(com, left), 0, 1e-12);
        body_free(&b);
        skeleton_free(&s);
    }
}

TEST(left_segments_mirror_right_segments)
{
    Skeleton s;
    figure(&s);
    Body b = build(&s, body_default_def());
    for (int j = 0; j < s.joint_count; j++) {
        if (role_mirror(s.role[j]) == s.role[j])
            continue;
        int k = skeleton_find_role(&s, role_mirror(s.role[j]));
        assert_near(b.mass[k], b.mass[j], 0);
        assert_vec3_near(b.com[k], vec3(-b.com[j].x, b.com[j].y, b.com[j].z), 1e-15);
        assert_near(b.inertia[k].yy, b.inertia[j].yy, 1e-15);
        assert_near(b.inertia[k].xy, -b.inertia[j].xy, 1e-15);
    }
    body_free(&b);
    skeleton_free(&s);
}

/* Twice the size and eight times the mass: 32 times the inertia. */
TEST(body_scales_with_size)
{
    Skeleton s;
    figure(&s);
    Body small = build(&s, (BodyDef){.mass = 10});
    double stature = body_stature(&s);
    for (int j = 0; j < s.joint_count; j++)
        s.offset[j] = vec3_scale(s.offset[j], 2);
    for (int e = 0; e < s.end_count; e++)
        s.end_offset[e] = vec3_scale(s.end_offset[e], 2);
    Body big = build(&s, (BodyDef){.mass = 80});
    for (int j = 0; j < s.joint_count; j++) {
        assert_near(big.mass[j], 8 * small.mass[j], 1e-13);
        assert_near(big.inertia[j].xx, 32 * small.inertia[j].xx, 1e-13);
        assert_vec3_near(big.com[j], vec3_scale(small.com[j], 2), 1e-14);
    }
    assert_near(body_stature(&s), 2 * stature, 1e-12);
    body_free(&small);
    body_free(&big);
    skeleton_free(&s);
}

/* 0.06 below the hips, legs 0.84, ankles 0.08, trunk 0.57, neck and head 0.25. */
TEST(stature_needs_no_standing_pose)
{
    Skeleton s;
    figure(&s);
    assert_near(body_stature(&s), 1.75, 0.01);
    /* each bone along the x axis of its joint, as written by some exporters */
    for (int j = 1; j < s.joint_count; j++)
        if (s.role[j] != ROLE_LEFT_HIP && s.role[j] != ROLE_RIGHT_HIP && s.role[j] != ROLE_SPINE)
            s.offset[j] = vec3(vec3_norm(s.offset[j]), 0, 0);
    for (int e = 0; e < s.end_count; e++)
        s.end_offset[e] = vec3(vec3_norm(s.end_offset[e]), 0, 0);
    assert_near(body_stature(&s), 1.75, 0.05);
    Body b = build(&s, body_default_def());
    int shank = skeleton_find_role(&s, ROLE_LEFT_KNEE);
    assert_physical(&b);
    assert_near(sum(&b), 70, 2e-14);
    assert_true(b.com[shank].x > 0.15 && fabs(b.com[shank].y) < 1e-12);
    assert_near(b.inertia[shank].yy, b.inertia[shank].zz, 1e-12); /* flexion direction unknown */
    body_free(&b);
    skeleton_free(&s);
}

/* A skeleton that ends at elbows and knees has the full body mass. */
TEST(missing_joints_leave_mass_to_the_parent)
{
    JointRow rows[HUMANOID_JOINTS];
    int count = 0;
    static const char *const dropped[] = {"LeftHand",    "RightHand",    "LeftFoot", "RightFoot",
                                          "LeftToeBase", "RightToeBase", "Neck",     "Head"};
    for (int i = 0; i < HUMANOID_JOINTS; i++) {
        int drop = 0;
        for (size_t k = 0; k < sizeof dropped / sizeof *dropped; k++)
            drop |= strcmp(humanoid_rows[i].name, dropped[k]) == 0;
        if (!drop)
            rows[count++] = humanoid_rows[i];
    }
    Skeleton s;
    skeleton_from_rows(&s, rows, count);
    assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
    Body b = build(&s, (BodyDef){.mass = 100, .sex = SEX_MALE});
    assert_near(sum(&b), 100, 2e-14);
    assert_near(mass_of(&b, &s, "LeftForeArm") + mass_of(&b, &s, "LeftArm"), 2.71 + 1.62 + 0.61, 1e-12);
    assert_near(mass_of(&b, &s, "LeftLeg") + mass_of(&b, &s, "LeftUpLeg"), 14.16 + 4.33 + 1.37, 1e-12);
    assert_true(mass_of(&b, &s, "Spine2") > 6.94);
    assert_physical(&b);
    body_free(&b);
    skeleton_free(&s);
}

TEST(invalid_mass_and_model_are_refused)
{
    Skeleton s;
    Body b;
    Error err;
    figure(&s);
    assert_int_equal(body_from_skeleton(&s, &(BodyDef){.mass = -1}, &b, &err), STATUS_USAGE);
    assert_int_equal(body_from_skeleton(&s, &(BodyDef){.mass = NAN}, &b, &err), STATUS_USAGE);
    for (int j = 0; j < s.joint_count; j++)
        s.role[j] = ROLE_NONE;
    assert_int_equal(body_from_skeleton(&s, &(BodyDef){.model = BODY_DELEVA}, &b, &err), STATUS_BAD_INPUT);
    assert_near(body_stature(&s), 0, 0);
    assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
    for (int j = 0; j < s.joint_count; j++)
        s.offset[j] = vec3(0, 0, 0);
    assert_int_equal(body_from_skeleton(&s, &(BodyDef){.model = BODY_DELEVA}, &b, &err), STATUS_BAD_INPUT);
    assert_null(b.mass);
    skeleton_free(&s);
}

/* The parts sum to the body, and no radius of gyration of the table is impossible. */
TEST(table_masses_sum_and_radii_are_possible)
{
    SegmentShape shape[SEGMENT_COUNT];
    for (Sex sex = SEX_MEAN; sex <= SEX_FEMALE; sex++) {
        double total = 0;
        segment_shapes(sex, shape);
        for (int k = 0; k < SEGMENT_COUNT; k++) {
            total += (k >= SEGMENT_UPPER_ARM ? 2 : 1) * shape[k].mass;
            assert_true(shape[k].across > 0 && shape[k].deep > 0 && shape[k].along > 0);
            assert_true(shape[k].com > 1.0 / 3 && shape[k].com < 2.0 / 3); /* a linear density exists */
        }
        assert_near(total, 1, 1e-15);
    }
}
