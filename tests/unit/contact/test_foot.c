/* analysis/contact/measured: force, centre of pressure and free moment of a foot are equivalent to the forces at its
 * points. */
#include "tests/support/test.h"

#include "analysis/contact/measured.h"
#include "tests/support/random_number.h"
#include "tests/support/walker.h"

enum { POINTS = 4, LEFT_ANKLE = 3, LEFT_TOE = 4, LEFT_KNEE = 2 };

static Vec3 random_vector(unsigned *seed, double size)
{
    return vec3(size * random_number(seed), size * random_number(seed), size * random_number(seed));
}

typedef struct Foot {
    Skeleton skeleton;
    Kinematics kinematics;
    Contact contact;
} Foot;

/* One frame: two points on the left ankle, one on its toe, one on the knee. */
static void make(Foot *x, unsigned seed)
{
    static const int joint[POINTS] = {LEFT_ANKLE, LEFT_ANKLE, LEFT_TOE, LEFT_KNEE};
    walker_skeleton(&x->skeleton);
    assert_int_equal(kinematics_init(&x->kinematics, 1, WALKER_JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(contact_init(&x->contact, 1, POINTS, 1, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        x->kinematics.position[j] = random_vector(&seed, 1);
        x->kinematics.orientation[j] = quat_from_axis_angle(vec3_normalize(random_vector(&seed, 1)), 1.3);
    }
    for (int i = 0; i < POINTS; i++) {
        x->contact.point_joint[i] = joint[i];
        x->contact.point_position[i] = random_vector(&seed, 0.2);
        x->contact.force[i] = vec3_add(random_vector(&seed, 100), vec3(0, 300, 0));
        x->contact.moment[i] = random_vector(&seed, 5);
    }
    x->contact.ground_normal = vec3_normalize(vec3(0.1, 1, -0.05));
    x->contact.ground_height = 0.3;
}

static void drop(Foot *x)
{
    contact_free(&x->contact);
    kinematics_free(&x->kinematics);
    skeleton_free(&x->skeleton);
}

/* About any point: sum (p - O) x f + m = (COP - O) x F + T, with T along the normal and the COP on the ground. */
TEST(a_foot_states_the_whole_of_its_points)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        Foot x;
        make(&x, seed);
        Contact *c = &x.contact;
        foot_summarize(&x.skeleton, &x.kinematics, c);
        Vec3 about = {0.7, -2, 1.1}, force = {0, 0, 0}, moment = {0, 0, 0}, n = c->ground_normal;
        for (int i = 0; i < 3; i++) { /* the knee is not part of a foot */
            int j = c->point_joint[i];
            Vec3 arm = quat_rotate(x.kinematics.orientation[j], c->point_position[i]);
            Vec3 at = vec3_add(x.kinematics.position[j], arm);
            force = vec3_add(force, c->force[i]);
            moment = vec3_add(moment, vec3_add(vec3_cross(vec3_sub(at, about), c->force[i]), c->moment[i]));
        }
        Vec3 cop = c->foot_cop[FOOT_LEFT], free_moment = c->foot_free_moment[FOOT_LEFT];
        assert_vec3_near(c->foot_force[FOOT_LEFT], force, 1e-10);
        assert_vec3_near(vec3_add(vec3_cross(vec3_sub(cop, about), force), free_moment), moment, 1e-9);
        assert_near(vec3_dot(n, vec3_sub(cop, vec3(0, 0.3, 0))), 0, 1e-12);
        assert_near(vec3_norm(vec3_cross(n, free_moment)), 0, 1e-10);
        drop(&x);
    }
}

TEST(a_foot_without_load_has_no_centre_of_pressure)
{
    Foot x;
    make(&x, 3);
    for (int i = 0; i < POINTS; i++)
        x.contact.force[i] = vec3(0, 0.1, 0);
    foot_summarize(&x.skeleton, &x.kinematics, &x.contact);
    assert_vec3_near(x.contact.foot_cop[FOOT_LEFT], vec3(0, 0, 0), 0);
    assert_vec3_near(x.contact.foot_free_moment[FOOT_LEFT], vec3(0, 0, 0), 0);
    assert_vec3_near(x.contact.foot_force[FOOT_RIGHT], vec3(0, 0, 0), 0);
    drop(&x);
}
