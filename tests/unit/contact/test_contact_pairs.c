/* analysis/contact/contact_problem: a joined pair carries as both points together would at least cost. */
#include <string.h>

#include "tests/support/test.h"

#include "analysis/base/arena.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/contact_problem.h"
#include "tests/support/puppet.h"

enum { FRAMES = 90 };

/* Stands and rolls the left foot off its heel: pairs come and go as candidates. */
static PuppetPose roll(double t, const void *context)
{
    (void)context;
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.06, 0},
                        .sole = {{0.1, 0.1 * puppet_ease(t), 0}, {-0.1, 0, 0}},
                        .pitch = {puppet_ease(t), 0}};
}

static void setup(Clip *c, ContactProblem *p)
{
    GroundDef ground = ground_default_def();
    puppet_clip(c, FRAMES, 100, roll, NULL);
    puppet_differentiate(c);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(contact_setup(&view, &contact_constants, &ground, LANES_AUTO, p, NULL), STATUS_OK);
    /* The inner point of some heels and balls is no candidate, of others the outer, of others neither is. */
    for (size_t i = 0; i < (size_t)FRAMES * (size_t)p->points.count; i++)
        if (i % 7 == 0 || i % 5 == 0)
            p->penalty[i] = CONTACT_PENALTY_MOST;
}

static double cost(const double *penalty, const Vec3 *force)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        sum += vec3_dot(force[k], force[k]) > 0 ? penalty[k] * vec3_dot(force[k], force[k]) : 0;
    return sum;
}

/* How often a joined point stood for two, and for the first or second alone. */
typedef struct Seen {
    int both, first, second;
} Seen;

static void check_pair(const ContactProblem *p, const double *joined, const Vec3 *lever, size_t at, const Vec3 *force,
                       Seen *seen)
{
    const double *penalty = p->penalty + at;
    const Vec3 total = {1, 2, 3};
    int first = penalty[0] < CONTACT_PENALTY_MOST, second = penalty[1] < CONTACT_PENALTY_MOST;
    if (!first && !second) {
        assert_true(joined[at] >= CONTACT_PENALTY_MOST);
        return;
    }
    assert_vec3_near(vec3_add(force[at], force[at + 1]), total, 1e-12);
    Vec3 moment = vec3_add(vec3_cross(p->lever[at], force[at]), vec3_cross(p->lever[at + 1], force[at + 1]));
    assert_vec3_near(moment, vec3_cross(lever[at], total), 1e-12);
    assert_near(cost(penalty, force + at), joined[at] * vec3_dot(total, total), 1e-9 * joined[at]);
    for (int k = -1; first && second && k <= 1; k += 2) { /* shared otherwise, it costs more */
        Vec3 other[2] = {vec3_mad(force[at], 0.05 * k, total), vec3_mad(force[at + 1], -0.05 * k, total)};
        assert_true(cost(penalty, other) > cost(penalty, force + at));
    }
    seen->both += first && second;
    seen->first += first && !second;
    seen->second += second && !first;
}

TEST(a_joined_pair_carries_as_both_at_least_cost)
{
    Clip c;
    ContactProblem p;
    ContactPairs pairs;
    Seen seen = {0};
    setup(&c, &p);
    size_t points = (size_t)p.points.count, all = FRAMES * points;
    Vec3 *own_lever = p.lever, *lever = array_new(all, 1, sizeof *lever), *force = array_new(all, 1, sizeof *force);
    double *own_penalty = p.penalty, *joined = array_new(all, 1, sizeof *joined);
    assert_int_equal(contact_pairs_join(&p, &pairs, NULL), STATUS_OK);
    memcpy(lever, p.lever, all * sizeof *lever);
    memcpy(joined, p.penalty, all * sizeof *joined);
    for (size_t i = 0; i < all; i++)
        force[i] = vec3(1, 2, 3);
    contact_pairs_part(&p, &pairs, force);
    assert_ptr_equal(p.lever, own_lever);
    assert_ptr_equal(p.penalty, own_penalty);
    for (size_t f = 0; f < FRAMES; f++)
        for (int i = 0; i < p.points.count; i++) {
            size_t at = f * points + (size_t)i;
            const ContactPoint *point = &p.points.point[i];
            int begins = point->foot >= 0 && (i == 0 || point[-1].foot != point->foot);
            for (size_t k = 0; begins && k < 4; k += 2) {
                assert_true(joined[at + k + 1] >= CONTACT_PENALTY_MOST);
                check_pair(&p, joined, lever, at + k, force, &seen);
            }
        }
    assert_true(seen.both > 20 && seen.first > 20 && seen.second > 20);
    free(lever);
    free(joined);
    free(force);
    contact_problem_free(&p);
    clip_free(&c);
}
