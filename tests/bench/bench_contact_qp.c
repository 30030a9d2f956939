/* The contact problem of one frame: eight points with eight-sided cones, along a synthetic walk of 600 frames.
 *
 * Rows `name value unit`: microseconds per frame, medians over the frames; ratios of the medians of one run. Cold
 * starts from zero forces, warm from the previous frame; lcp is the same problem over the edges of the cones by block
 * pivoting, gauss_seidel the same by sweeps until changes are below 1e-8. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/solve/friction_cone.h"
#include "analysis/solve/lcp.h"
#include "analysis/solve/tridiagonal_qp.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/tridiagonal_entry.h"
#include "tests/support/sweep_lcp.h"

enum { POINTS = 8, SIZE = 3 * POINTS, EDGES = CONE_SIDES * POINTS, FRAMES = 600, SWEPT_FRAMES = 30 };

typedef struct Frame {
    TridiagonalQp qp;
    double edges[EDGES * EDGES], linear[EDGES]; /* E'H E, E'h */
} Frame;

/* Weighted columns of the contact wrench about the centre of mass: rows of sqrt(weight) W. */
static void wrench_columns(double phase, double wrench[6][SIZE])
{
    static const double weight[6] = {0.7, 1, 0.7, 0.3, 0.7, 0.3};
    for (int c = 0; c < POINTS; c++) {
        double side = c < 4 ? 0.1 : -0.1, ahead = (c < 4 ? 0.3 : -0.3) * elementary_cos(phase);
        Vec3 r = vec3(ahead + (c % 2 ? 0.1 : -0.1), -1.1, side + (c / 2 % 2 ? 0.04 : -0.04));
        for (int k = 0; k < 3; k++) {
            Vec3 f = vec3(k == 0, k == 1, k == 2), m = vec3_cross(r, f);
            for (int i = 0; i < 6; i++)
                wrench[i][3 * c + k] = weight[i] * (i < 3 ? vec3_component(f, i) : vec3_component(m, i - 3));
        }
    }
}

/* Both feet are loaded, more the one nearer to its mid-stance. */
static int make_frame(Frame *frame, double phase)
{
    double wrench[6][SIZE], s = elementary_sin(phase), c2 = elementary_cos(2 * phase);
    const double needed[6] = {0.7 * 0.3 * s, 1 - 0.2 * c2, 0.7 * 0.05 * s, 0.01, 0.01 * s, 0.3 * 0.1 * s};
    if (tridiagonal_qp_init(&frame->qp, 1, POINTS, POINTS, tridiagonal_entries(POINTS), NULL))
        return 0;
    frame->qp.first[1] = POINTS;
    frame->qp.block[1] = tridiagonal_entries(POINTS);
    wrench_columns(phase, wrench);
    double *linear = &frame->qp.linear[0].x;
    for (int i = 0; i < SIZE; i++) {
        int c = i / 3;
        double lifted = c < 4 ? fmax(0, s) : fmax(0, -s), heel = c % 2 ? 0.2 : 0.1;
        frame->qp.slot[c] = c;
        for (int k = 0; k < 6; k++)
            linear[i] -= wrench[k][i] * needed[k];
        for (int j = 0; j < SIZE; j++) {
            double h = i == j ? 1e-3 * elementary_exp(7 * lifted + heel * c2) : 0;
            for (int k = 0; k < 6; k++)
                h += wrench[k][i] * wrench[k][j];
            *tridiagonal_entry(&frame->qp, 0, i, j) = h;
        }
    }
    return 1;
}

static void project_on_edges(Frame *frame, const FrictionCone *cone)
{
    for (int a = 0; a < EDGES; a++) {
        Vec3 ea = cone->edge[a % CONE_SIDES];
        frame->linear[a] = vec3_dot(ea, frame->qp.linear[a / CONE_SIDES]);
        for (int b = 0; b < EDGES; b++) {
            Vec3 eb = cone->edge[b % CONE_SIDES];
            double sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum += vec3_component(ea, i) * vec3_component(eb, j) *
                              *tridiagonal_entry(&frame->qp, 0, 3 * (a / CONE_SIDES) + i, 3 * (b / CONE_SIDES) + j);
            frame->edges[a * EDGES + b] = sum;
        }
    }
}

static void edge_column(const void *context, int j, double *out)
{
    memcpy(out, (const double *)context + (size_t)j * EDGES, EDGES * sizeof *out); /* symmetric */
}

/* Median time per frame on whole cone faces; steps: mean number of factorisations. */
static double time_faces(const Frame *frames, int warm, double *steps)
{
    static double time[FRAMES];
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    TridiagonalQpSolver *solver;
    Vec3 force[POINTS] = {{0}};
    if (tridiagonal_qp_solver_create(&solver, NULL))
        return NAN;
    *steps = 0;
    for (int f = 0; f < FRAMES; f++) {
        TridiagonalQpResult result;
        if (!warm)
            memset(force, 0, sizeof force);
        double start = wall_seconds();
        if (tridiagonal_qp_solve(solver, &frames[f].qp, &def, force, &result, NULL))
            return NAN;
        time[f] = 1e6 * (wall_seconds() - start);
        *steps += result.steps / FRAMES;
    }
    tridiagonal_qp_solver_destroy(solver);
    return median(time, FRAMES);
}

static double time_edges(const Frame *frames)
{
    static double time[FRAMES];
    LcpDef def = lcp_default_def();
    LcpSolver solver;
    double z[EDGES] = {0};
    if (lcp_solver_init(&solver, EDGES, NULL))
        return NAN;
    for (int f = 0; f < FRAMES; f++) {
        Lcp lcp = {EDGES, frames[f].linear, edge_column, frames[f].edges};
        double start = wall_seconds();
        if (lcp_solve(&solver, &lcp, &def, z, NULL, NULL))
            return NAN;
        time[f] = 1e6 * (wall_seconds() - start);
    }
    lcp_solver_free(&solver);
    return median(time, FRAMES);
}

static double time_sweeps(const Frame *frames)
{
    double time[SWEPT_FRAMES], z[EDGES] = {0};
    GaussSeidelDef def = {.max_sweeps = 100000, .tolerance = 1e-8};
    for (int f = 0; f < SWEPT_FRAMES; f++) {
        double start = wall_seconds();
        if (sweep_lcp(EDGES, frames[f].edges, frames[f].linear, &def, z, NULL))
            return NAN;
        time[f] = 1e6 * (wall_seconds() - start);
    }
    return median(time, SWEPT_FRAMES);
}

int main(void)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    Frame *frames = calloc(FRAMES, sizeof *frames);
    if (!frames)
        return 1;
    for (int f = 0; f < FRAMES; f++) {
        if (!make_frame(&frames[f], 2 * PI * f / 120))
            return 1;
        project_on_edges(&frames[f], &cone);
    }
    double warm_steps, cold_steps;
    double cold = time_faces(frames, 0, &cold_steps), warm = time_faces(frames, 1, &warm_steps);
    double edges = time_edges(frames), sweeps = time_sweeps(frames);
    printf("contact_qp_8_points_warm %.2f us\n", warm);
    printf("contact_qp_8_points_warm_steps %.2f factorisations\n", warm_steps);
    printf("contact_qp_8_points_cold_against_warm %.2f ratio\n", cold / warm);
    printf("contact_qp_8_points_lcp_against_warm %.2f ratio\n", edges / warm);
    printf("contact_qp_8_points_gauss_seidel_against_warm %.0f ratio\n", sweeps / warm);
    for (int f = 0; f < FRAMES; f++)
        tridiagonal_qp_free(&frames[f].qp);
    free(frames);
    return 0;
}
