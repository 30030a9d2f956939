/* analysis/contact/limb_program: the limb formulation gives the same foot forces as the point formulation. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/contact_program.h"
#include "analysis/contact/contact_setup.h"
#include "analysis/contact/ground.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/smooth.h"
#include "tests/support/read_bvh.h"

/* A sample clip ready for the contact stage, and its problem without a prior, which reads the view. */
static void sample_problem(const char *path, Clip *c, ClipView *view, ContactProblem *p)
{
    SmoothDef smooth = smooth_default_def();
    DifferenceDef difference = difference_default_def();
    GroundDef ground = ground_default_def();
    assert_true(file_clip_with_body(path, c));
    assert_int_equal(smooth_motion(&c->motion, &smooth, NULL, NULL), STATUS_OK);
    *view = (ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_setup(view, &contact_constants, &ground, LANES_AUTO, p, NULL), STATUS_OK);
}

static Vec3 *new_forces(const ContactProblem *p)
{
    return calloc((size_t)p->wrench.frame_count * (size_t)p->points.count, sizeof(Vec3));
}

static void solve(const ContactProblem *p, ContactSpan span, int held, Vec3 *force)
{
    ContactProgramDef def = {.friction = 0.8, .lanes = LANES_AUTO, .held_count = held};
    ContactProgram *program;
    assert_int_equal(contact_program_create(&program, NULL), STATUS_OK);
    assert_int_equal(contact_program_solve(program, p, span, &def, force, NULL), STATUS_OK);
    contact_program_destroy(program);
}

static double *loads_of(const ContactProblem *p, const Vec3 *force)
{
    size_t all = (size_t)p->wrench.frame_count * (size_t)p->points.count;
    double *out = calloc(all, sizeof *out);
    for (size_t i = 0; i < all; i++)
        out[i] = force[i].y;
    return out;
}

static Vec3 foot_sum(const ContactProblem *p, const Vec3 *force, int frame, int first)
{
    Vec3 sum = {0, 0, 0};
    for (int i = first; i < first + FOOT_POINTS; i++)
        sum = vec3_add(sum, force[(size_t)frame * (size_t)p->points.count + (size_t)i]);
    return sum;
}

/* Points that are not marked as feet are solved as points, with one cone each. The load fractions of a foot's points
 * come from the loads of a solution without them, as in contact_estimate. */
TEST(foot_limbs_have_the_forces_of_their_points)
{
    static const char *const samples[] = {"data/walk.bvh", "data/jump.bvh", "data/squat.bvh"};
    for (int n = 0; n < 3; n++) {
        Clip c;
        ClipView view;
        ContactProblem p;
        int first[FOOT_COUNT];
        double square[3] = {0}, max = 0;
        sample_problem(samples[n], &c, &view, &p);
        Vec3 *by_limbs = new_forces(&p), *by_points = new_forces(&p);
        ContactSpan all = {0, p.wrench.frame_count, 1};
        contact_points_feet(&p.points, first);
        solve(&p, all, 0, by_limbs);
        double *load = loads_of(&p, by_limbs);
        p.load = load;
        solve(&p, all, 0, by_limbs);
        for (int i = 0; i < p.points.count; i++)
            p.points.point[i].foot = -1;
        assert_false(contact_program_has_limbs(&p.points));
        solve(&p, all, 0, by_points);
        for (int f = 0; f < p.wrench.frame_count; f++)
            for (int foot = 0; foot < FOOT_COUNT; foot++) {
                Vec3 d = vec3_sub(foot_sum(&p, by_limbs, f, first[foot]), foot_sum(&p, by_points, f, first[foot]));
                for (int k = 0; k < 3; k++)
                    square[k] += vec3_component(d, k) * vec3_component(d, k) / (2.0 * p.wrench.frame_count);
                max = fmax(max, vec3_norm(d));
            }
        print_message("%s: %.4f %.4f %.4f, at most %.4f body weights\n", samples[n], sqrt(square[0]), sqrt(square[1]),
                      sqrt(square[2]), max);
        assert_true(sqrt(square[0]) < 0.01 && sqrt(square[1]) < 0.01 && sqrt(square[2]) < 0.005);
        assert_true(max < 0.05);
        free(by_limbs);
        free(by_points);
        free(load);
        contact_problem_free(&p);
        clip_free(&c);
    }
}

/* With one frame fixed, the later frames equal those of the whole clip, and the fixed frame is unchanged to the bit. */
TEST(fixed_frame_continues_the_forces)
{
    enum { CUT = 90 };
    Clip c;
    ClipView view;
    ContactProblem p;
    sample_problem("data/walk.bvh", &c, &view, &p);
    Vec3 *whole = new_forces(&p), *later = new_forces(&p);
    size_t points = (size_t)p.points.count, frames = (size_t)p.wrench.frame_count;
    solve(&p, (ContactSpan){0, (int)frames, 1}, 0, whole);
    memcpy(later + CUT * points, whole + CUT * points, points * sizeof *later);
    solve(&p, (ContactSpan){CUT, (int)frames - CUT, 1}, 1, later);
    assert_memory_equal(later + CUT * points, whole + CUT * points, points * sizeof *later);
    for (size_t i = CUT * points; i < frames * points; i++)
        assert_vec3_near(later[i], whole[i], 1e-3);
    free(whole);
    free(later);
    contact_problem_free(&p);
    clip_free(&c);
}
