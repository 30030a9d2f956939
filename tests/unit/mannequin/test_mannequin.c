/* analysis/mannequin/mannequin: closed skins of about the body's volume, with level soles, bound to the joints of their
 * segments; more mass is thicker, helper joints have none, fingers have their own; any tree gets a body. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/body/roles.h"
#include "analysis/clip/clip_view.h"
#include "analysis/mannequin/mannequin.h"
#include "tests/support/walker.h"

typedef struct Figure {
    Skeleton skeleton;
    Motion motion;
    Body body;
    Mannequin mannequin;
} Figure;

static void dress(Figure *f, double mass)
{
    BodyDef def = body_default_def();
    def.mass = mass;
    assert_int_equal(body_from_skeleton(&f->skeleton, &def, &f->body, NULL), STATUS_OK);
    ClipView view = {.skeleton = &f->skeleton, .body = &f->body, .motion = &f->motion};
    assert_int_equal(mannequin_init(&f->mannequin, &view, NULL, NULL), STATUS_OK);
    assert_true(f->mannequin.vertex_count > 0);
}

static void walker(Figure *f, double mass)
{
    *f = (Figure){0};
    walker_skeleton(&f->skeleton);
    walker_motion(&f->motion, 30, 30);
    dress(f, mass);
}

static void undress(Figure *f)
{
    mannequin_free(&f->mannequin);
    body_free(&f->body);
    motion_free(&f->motion);
    skeleton_free(&f->skeleton);
}

static double volume(const Mannequin *m)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int *v = m->face[f];
        sum += vec3_dot(m->position[v[0]], vec3_cross(m->position[v[1]], m->position[v[2]])) / 6;
    }
    return sum;
}

static int by_edge(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(int)); }

/* Each edge is used once in each direction: surfaces are closed and consistently oriented. */
static void assert_closed(const Mannequin *m)
{
    size_t count = (size_t)m->face_count * 3;
    int(*edge)[2] = malloc(count * sizeof *edge), (*back)[2] = malloc(count * sizeof *back);
    for (int f = 0; f < m->face_count; f++)
        for (int i = 0; i < 3; i++) {
            int a = m->face[f][i], b = m->face[f][(i + 1) % 3], at = 3 * f + i;
            edge[at][0] = back[at][1] = a;
            edge[at][1] = back[at][0] = b;
        }
    qsort(edge, count, sizeof *edge, by_edge);
    qsort(back, count, sizeof *back, by_edge);
    assert_memory_equal(edge, back, count * sizeof *edge);
    free(edge);
    free(back);
}

TEST(human_mesh_is_closed_and_has_body_volume)
{
    Figure f;
    walker(&f, 70);
    const Mannequin *m = &f.mannequin;
    assert_closed(m);
    assert_true(volume(m) > 0.9 * 70 / 1050 && volume(m) < 1.25 * 70 / 1050); /* parts overlap */
    assert_true(m->vertex_count < 6000);
    double low = INFINITY, high = -INFINITY, left = INFINITY, right = INFINITY;
    for (int v = 0; v < m->vertex_count; v++) {
        double y = m->position[v].y;
        low = fmin(low, y);
        high = fmax(high, y);
        if (m->position[v].z < 0)
            left = fmin(left, y);
        else
            right = fmin(right, y);
        assert_near(vec3_norm(m->normal[v]), 1, 1e-9);
        assert_true(m->weight[v] >= 0 && m->weight[v] <= 0.5);
    }
    assert_near(high - low, 1.73, 0.09);
    assert_near(left, right, 2e-3); /* both soles */
    undress(&f);
}

/* Vertices of a segment are within 0.1 m of the bone from the role's joint to the next. */
TEST(segments_are_centred_on_their_bones)
{
    static const Role ways[][2] = {{ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                   {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST},
                                   {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE},
                                   {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW}};
    Figure f;
    walker(&f, 70);
    const Mannequin *m = &f.mannequin;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int joint = skeleton_find_role(&f.skeleton, ways[i][0]), next = skeleton_find_role(&f.skeleton, ways[i][1]),
            faces = 0;
        Vec3 way = vec3_sub(m->joint_position[next], m->joint_position[joint]);
        for (int k = 0; k < m->face_count; k++) {
            if (m->segment[k] != joint)
                continue;
            Vec3 off = vec3_sub(m->position[m->face[k][0]], m->joint_position[joint]);
            double along = vec3_dot(off, way) / vec3_dot(way, way);
            assert_true(along > -0.35 && along < 1.35);
            assert_true(vec3_norm(vec3_mad(off, -along, way)) < 0.18);
            faces++;
        }
        assert_true(faces > 60);
    }
    for (int j = 0; j < m->joint_count; j++) { /* bone lengths are preserved in the bind pose */
        int up = f.skeleton.parent[j];
        if (up >= 0)
            assert_near(vec3_distance(m->joint_position[j], m->joint_position[up]), vec3_norm(f.skeleton.offset[j]),
                        1e-9);
    }
    undress(&f);
}

/* Lowest vertex of the skin, m. */
static double sole(const Mannequin *m)
{
    double min = INFINITY;
    for (int v = 0; v < m->vertex_count; v++)
        min = fmin(min, m->position[v].y);
    return min;
}

/* Ankle heights of files are 4 to 13 cm: soles are below the toe joints of all, and within 2.5 cm of them. */
/* The walker with hips and spine as children of one root, the spine before the hips. */
static void split_walker(Figure *f)
{
    static const int order[WALKER_JOINTS] = {9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    int at[WALKER_JOINTS];
    *f = (Figure){0};
    assert_int_equal(skeleton_init(&f->skeleton, WALKER_JOINTS + 1, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&f->motion, 2, WALKER_JOINTS + 1, 0.1, 0, NULL), STATUS_OK);
    skeleton_set_name(&f->skeleton, 0, "Root", NULL);
    f->skeleton.parent[0] = -1;
    for (int i = 0; i < WALKER_JOINTS; i++) {
        const WalkerJoint *w = &walker_joints[order[i]];
        at[order[i]] = i + 1;
        skeleton_set_name(&f->skeleton, i + 1, w->name, NULL);
        f->skeleton.role[i + 1] = f->skeleton.segment[i + 1] = w->role;
        f->skeleton.offset[i + 1] = w->role == ROLE_HIPS ? vec3(0, 0, 0) : w->offset;
        f->skeleton.parent[i + 1] = w->role == ROLE_HIPS || w->role == ROLE_SPINE ? 0 : -2;
    }
    for (int i = 0; i < WALKER_JOINTS; i++)
        if (f->skeleton.parent[i + 1] == -2)
            f->skeleton.parent[i + 1] = at[walker_joints[order[i]].parent];
    for (int i = 0; i < 2 * (WALKER_JOINTS + 1); i++)
        f->motion.rotation[i] = QUAT_IDENTITY;
    f->motion.root_position[0] = f->motion.root_position[1] = vec3(0, 0.95, 0);
    dress(f, 75);
}

TEST(trunk_beside_the_hips_follows_the_spine)
{
    Figure f;
    int trunk = 0;
    (void)state;
    split_walker(&f);
    const Mannequin *m = &f.mannequin;
    double hips = m->joint_position[skeleton_find_role(&f.skeleton, ROLE_HIPS)].y;
    for (int v = 0; v < m->vertex_count; v++) {
        double above = m->position[v].y - hips;
        if (above < 0.12 || above > 0.35 || fabs(m->position[v].z) > 0.1)
            continue;
        Role role = f.skeleton.segment[m->joint[v][0]];
        trunk++;
        assert_int_equal(role_mirror(role), role);
    }
    assert_true(trunk > 50);
    undress(&f);
}

TEST(soles_reach_below_the_toe_joints)
{
    for (int cm = 6; cm <= 12; cm += 3) {
        Figure f = {0};
        walker_skeleton(&f.skeleton);
        int toe = skeleton_find_role(&f.skeleton, ROLE_LEFT_TOE);
        f.skeleton.offset[toe].y = f.skeleton.offset[skeleton_find_role(&f.skeleton, ROLE_RIGHT_TOE)].y = -0.01 * cm;
        walker_motion(&f.motion, 30, 30);
        dress(&f, 70);
        double below = f.mannequin.joint_position[toe].y - sole(&f.mannequin);
        assert_true(below > 0 && below < 0.025);
        undress(&f);
    }
}

TEST(heavier_body_is_thicker)
{
    Figure light, heavy, again;
    walker(&light, 60);
    walker(&heavy, 100);
    walker(&again, 60);
    assert_true(volume(&heavy.mannequin) > 1.35 * volume(&light.mannequin));
    assert_int_equal(light.mannequin.vertex_count, again.mannequin.vertex_count);
    assert_memory_equal(light.mannequin.position, again.mannequin.position,
                        (size_t)light.mannequin.vertex_count * sizeof(Vec3));
    undress(&light);
    undress(&heavy);
    undress(&again);
}

/* A dog-like tree without roles: trunk, two legs at either end, a tail. */
static void creature_skeleton(Skeleton *s)
{
    static const Vec3 offset[11] = {{0, 0.5, 0},     {0, 0, 0.3},   {0.1, 0, 0.05},  {0, -0.25, 0},
                                    {-0.1, 0, 0.05}, {0, -0.25, 0}, {0.1, 0, 0},     {0, -0.25, 0},
                                    {-0.1, 0, 0},    {0, -0.25, 0}, {0, 0.05, -0.25}};
    static const int parent[11] = {-1, 0, 1, 2, 1, 4, 0, 6, 0, 8, 0}, leaf[5] = {3, 5, 7, 9, 10};
    assert_int_equal(skeleton_init(s, 11, 5, NULL), STATUS_OK);
    for (int j = 0; j < 11; j++) {
        skeleton_set_name(s, j, "b", NULL);
        s->parent[j] = parent[j];
        s->offset[j] = offset[j];
    }
    for (int e = 0; e < 5; e++) {
        s->end_parent[e] = leaf[e];
        s->end_offset[e] = e < 4 ? vec3(0, -0.2, 0) : vec3(0, 0, -0.2);
    }
}

static void stand(Figure *f)
{
    assert_int_equal(motion_init(&f->motion, 2, f->skeleton.joint_count, 0.1, 0, NULL), STATUS_OK);
    for (int i = 0; i < 2 * f->skeleton.joint_count; i++)
        f->motion.rotation[i] = QUAT_IDENTITY;
}

TEST(nonhuman_has_a_mesh_along_all_bones)
{
    Figure f = {0};
    creature_skeleton(&f.skeleton);
    stand(&f);
    dress(&f, 0);
    const Mannequin *m = &f.mannequin;
    assert_closed(m);
    assert_true(volume(m) > 0.6 * f.body.total_mass / 1000); /* overlapping rods count twice where they meet */
    assert_true(volume(m) < 1.2 * f.body.total_mass / 1000);
    for (int j = 0; j < m->joint_count; j++) {
        int faces = 0;
        for (int k = 0; k < m->face_count; k++)
            faces += m->segment[k] == j;
        assert_true(faces > 10);
    }
    undress(&f);
}

/* A root on the ground as parent of the hips: no skin extends down to it. */
TEST(pole_has_no_skin)
{
    Figure f = {0};
    assert_int_equal(skeleton_init(&f.skeleton, WALKER_JOINTS + 1, 0, NULL), STATUS_OK);
    skeleton_set_name(&f.skeleton, 0, "reference", NULL);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(&f.skeleton, j + 1, walker_joints[j].name, NULL);
        f.skeleton.parent[j + 1] = walker_joints[j].parent + 1;
        f.skeleton.offset[j + 1] = walker_joints[j].offset;
    }
    assert_int_equal(roles_assign(&f.skeleton, &(RoleSigns){0}, NULL), STATUS_OK);
    stand(&f);
    dress(&f, 70);
    const Mannequin *m = &f.mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        assert_true(m->joint[v][0] != 0 && m->joint[v][1] != 0);
    undress(&f);
}

/* The six vertices around a joint are in a plane across the direction from the previous to the next joint. */
static void assert_ring_across(const Mannequin *m, int joint, Vec3 before, Vec3 next)
{
    Vec3 along = vec3_normalize(vec3_sub(next, before));
    int count = 0;
    for (int v = 0; v < m->vertex_count; v++) {
        Vec3 off = vec3_sub(m->position[v], m->joint_position[joint]);
        if (vec3_norm(off) > 0.013)
            continue;
        count++;
        assert_near(vec3_dot(off, along), 0, 1e-9);
    }
    assert_int_equal(count, 6);
}

enum { FINGERS = 5, LINKS = 3, JOINTS = WALKER_JOINTS + FINGERS * LINKS };

/* Five chains of three bones below the left wrist, bent between links; the right hand stays a mitten. Distances of the
 * middle and other knuckles from the wrist, m. */
static void dress_fingers(Figure *figure, double middle, double others)
{
    Figure f = {0};
    assert_int_equal(skeleton_init(&f.skeleton, JOINTS, FINGERS, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++) {
        int finger = (j - WALKER_JOINTS) / LINKS, link = (j - WALKER_JOINTS) % LINKS, is_own = j >= WALKER_JOINTS;
        skeleton_set_name(&f.skeleton, j, is_own ? "f" : walker_joints[j].name, NULL);
        f.skeleton.parent[j] = !is_own ? walker_joints[j].parent : link ? j - 1 : 15;
        f.skeleton.offset[j] = !is_own ? walker_joints[j].offset
                                       : vec3(link ? 0.03 : finger == 2 ? middle : others, -0.01 * link * link,
                                              link ? 0 : 0.03 * (2 - finger));
        f.skeleton.role[j] = is_own ? ROLE_NONE : walker_joints[j].role;
        f.skeleton.segment[j] = is_own ? ROLE_LEFT_WRIST : walker_joints[j].role;
    }
    for (int e = 0; e < FINGERS; e++) {
        f.skeleton.end_parent[e] = WALKER_JOINTS + e * LINKS + LINKS - 1;
        f.skeleton.end_offset[e] = vec3(0.02, 0, 0);
    }
    stand(&f);
    dress(&f, 70);
    *figure = f;
}

TEST(fingers_follow_the_skeleton)
{
    Figure f;
    dress_fingers(&f, 0.09, 0.09);
    assert_closed(&f.mannequin);
    for (int j = WALKER_JOINTS; j < JOINTS; j++) {
        int faces = 0;
        for (int k = 0; k < f.mannequin.face_count; k++)
            faces += f.mannequin.segment[k] == j;
        assert_true(faces >= 4);
    }
    const Vec3 *place = f.mannequin.joint_position;
    for (int j = WALKER_JOINTS; j < JOINTS; j += LINKS)
        assert_ring_across(&f.mannequin, j + 1, place[j], place[j + 2]);
    undress(&f);
}

/* End of the left palm, m from the wrist. */
static double palm_end(const Figure *f)
{
    const Mannequin *m = &f->mannequin;
    Vec3 way = vec3_normalize(vec3_sub(m->joint_position[WALKER_JOINTS + 2 * LINKS], m->joint_position[15]));
    double end = 0;
    for (int k = 0; k < m->face_count; k++)
        for (int i = 0; i < 3 && m->segment[k] == 15; i++)
            end = fmax(end, vec3_dot(vec3_sub(m->position[m->face[k][i]], m->joint_position[15]), way));
    return end;
}

/* The palm extends to the farthest knuckle. */
TEST(palm_ends_at_its_knuckles)
{
    Figure near, far, one;
    dress_fingers(&near, 0.09, 0.09);
    dress_fingers(&far, 0.11, 0.11);
    dress_fingers(&one, 0.11, 0.09);
    double min = palm_end(&near), max = palm_end(&far);
    assert_near(max - min, 0.02, 0.003);
    assert_near(palm_end(&one), max, 0.003);
    undress(&near);
    undress(&far);
    undress(&one);
}

TEST(point_has_no_mesh)
{
    Skeleton s;
    Motion motion;
    Mannequin m;
    assert_int_equal(skeleton_init(&s, 1, 0, NULL), STATUS_OK);
    skeleton_set_name(&s, 0, "p", NULL);
    assert_int_equal(motion_init(&motion, 1, 1, 0.1, 0, NULL), STATUS_OK);
    motion.rotation[0] = QUAT_IDENTITY;
    assert_int_equal(mannequin_init(&m, &(ClipView){.skeleton = &s, .motion = &motion}, NULL, NULL), STATUS_OK);
    assert_int_equal(m.vertex_count, 0);
    mannequin_free(&m);
    motion_free(&motion);
    skeleton_free(&s);
}
