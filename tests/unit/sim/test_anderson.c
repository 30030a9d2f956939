/* analysis/sim/scene_system: a slow linear iteration converges within as many mixed steps as it has unknowns, a
 * nonlinear one in a fraction of the plain steps, to the same solution. */
#include "analysis/sim/anderson.h"
#include "tests/support/test.h"

#include <string.h>

#include "tests/support/random_number.h"

enum { SIZE = 10, MAX_STEPS = 1000 };

typedef struct Slow {
    double a[SIZE][SIZE], b[SIZE];
    double curve;
} Slow;

/* r = b - x + 0.9 A x + curve x^2, A with row sums 1: the plain step x + r contracts by at worst 0.9. */
static void make_slow(Slow *s, double curve)
{
    unsigned seed = 3;
    s->curve = curve;
    for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        for (int k = 0; k < SIZE; k++)
            sum += s->a[i][k] = 1.1 + random_number(&seed);
        for (int k = 0; k < SIZE; k++)
            s->a[i][k] *= 0.9 / sum;
        s->b[i] = 0.02 * random_number(&seed);
    }
}

static double residual(const Slow *s, const double *x, double *r)
{
    double largest = 0;
    for (int i = 0; i < SIZE; i++) {
        r[i] = s->b[i] - x[i] + s->curve * x[i] * x[i];
        for (int k = 0; k < SIZE; k++)
            r[i] += s->a[i][k] * x[k];
        largest = fmax(largest, fabs(r[i]));
    }
    return largest;
}

/* Steps until the residual is 1e-12. */
static int solve(const Slow *s, Anderson *a, int mix, double *x)
{
    double r[SIZE];
    int steps = 0;
    memset(x, 0, SIZE * sizeof *x);
    anderson_begin(a);
    while (residual(s, x, r) > 1e-12 && steps < MAX_STEPS) {
        anderson_note(a, x, r);
        if (mix)
            anderson_mix(a, x, r);
        for (int i = 0; i < SIZE; i++)
            x[i] += r[i];
        steps++;
    }
    return steps;
}

TEST(anderson_mixing_reduces_steps)
{
    Arena arena = {0};
    Anderson a;
    Slow s;
    double plain[SIZE], mixed[SIZE];
    (void)state;
    assert_true(anderson_init(&a, SIZE, &arena));
    for (int curved = 0; curved < 2; curved++) {
        make_slow(&s, 0.1 * curved);
        int slow = solve(&s, &a, 0, plain), fast = solve(&s, &a, 1, mixed);
        assert_in_range(slow, 150, MAX_STEPS - 1);
        assert_in_range(fast, 1, curved ? SIZE + 6 : SIZE + 1);
        for (int i = 0; i < SIZE; i++)
            assert_near(mixed[i], plain[i], 1e-10);
    }
    arena_free(&arena);
}

/* A step without new information, or the same step twice, leaves the history unchanged. */
TEST(repeated_step_leaves_history_unchanged)
{
    Arena arena = {0};
    Anderson a;
    Slow s;
    double x[SIZE], r[SIZE];
    (void)state;
    assert_true(anderson_init(&a, SIZE, &arena));
    make_slow(&s, 0);
    solve(&s, &a, 1, x);
    residual(&s, x, r);
    anderson_note(&a, x, r);
    int known = a.pair_count;
    anderson_note(&a, x, r);
    assert_int_equal(a.pair_count, known);
    anderson_mix(&a, x, r);
    for (int i = 0; i < SIZE; i++)
        assert_true(isfinite(x[i]) && isfinite(r[i]));
    arena_free(&arena);
}
