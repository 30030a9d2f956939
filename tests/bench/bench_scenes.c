/* A step of kane and mj_step on the same files in one process: a humanoid of 17 bodies, a six-axis arm, a stack of ten
 * boxes, a bin of eight, and pyramids of 3 to 28 boxes to measure the growth of cost. Rows `name value unit`; the
 * engines alternate, each row is the median over the rounds, ratios are those within a round. Also prints the
 * penetration of kane's boxes at rest and the largest energy increase in a step.
 *
 * MuJoCo's buffers hold 15 boxes; nconmax and njmax are increased. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sim/scene.h"
#include "formats/model/mjcf.h"
#include "tests/bench/stopwatch.h"

enum { ROUNDS = 3, TEXT_SIZE = 65536 };

#define BUFFERS "<size njmax=\"8000\" nconmax=\"2000\"/>"

typedef struct Case {
    char name[32];
    char text[TEXT_SIZE]; /* MJCF */
    double duration;      /* s */
    int boxes;            /* of a pyramid */
} Case;

/* Results of a run of either engine. */
typedef struct Run {
    double step;    /* us */
    double overlap; /* m, largest at the end */
    double gained;  /* J, largest energy increase in a step */
} Run;

static void say(Case *c, const char *format, double x, double y, double z)
{
    size_t length = strlen(c->text);
    snprintf(c->text + length, TEXT_SIZE - length, format, x, y, z);
}

static int read_file(Case *c, const char *name, const char *path, double duration)
{
    FILE *file = fopen(path, "r");
    *c = (Case){.duration = duration};
    snprintf(c->name, sizeof c->name, "%s", name);
    if (!file)
        return 0;
    c->text[fread(c->text, 1, TEXT_SIZE - 1, file)] = 0;
    fclose(file);
    return 1;
}

static void begin(Case *c, const char *name, int number, double duration)
{
    *c = (Case){.duration = duration, .boxes = number};
    snprintf(c->name, sizeof c->name, "%s_%d", name, number);
    say(c, "<mujoco model=\"boxes\"><option timestep=\"0.005\"/><default><geom type=\"box\" size=\"0.1 0.1 0.1\" "
           "mass=\"1\"/></default><worldbody><geom type=\"plane\" size=\"0 0 1\"/>", 0, 0, 0);
}

static void add_box(Case *c, double x, double y, double z)
{
    say(c, "<body pos=\"%.4f %.4f %.4f\"><freejoint/><geom/></body>", x, y, z);
}

static void end(Case *c) { say(c, "</worldbody></mujoco>", 0, 0, 0); }

/* Rows of boxes with a gap between neighbours, each on two of the row below, which land one after the other. */
static void make_pyramid(Case *c, int rows)
{
    begin(c, "pyramid", rows * (rows + 1) / 2, 1);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < rows - row; k++)
            add_box(c, 0.22 * (k - 0.5 * (rows - row - 1)), 0, 0.101 + 0.201 * row);
    end(c);
}

/* Eight boxes that fall into a bin at oblique angles. */
static void make_bin(Case *c)
{
    begin(c, "bin", 8, 2);
    c->boxes = 0;
    for (int side = 0; side < 4; side++) {
        double turn = 0.5 * mjPI * side, x = 0.32 * round(cos(turn)), y = 0.32 * round(sin(turn));
        say(c, "<geom pos=\"%.4f %.4f 0.3\" ", x, y, 0);
        say(c, "size=\"%.4f %.4f 0.3\"/>", x != 0 ? 0.02 : 0.34, y != 0 ? 0.02 : 0.34, 0);
    }
    for (int k = 0; k < 8; k++) {
        say(c, "<body pos=\"%.4f %.4f %.4f\" ", k & 1 ? 0.12 : -0.13, k & 2 ? 0.14 : -0.12, 0.2 + 0.3 * k);
        say(c, "euler=\"%.1f %.1f %.1f\"><freejoint/><geom/></body>", 17.0 * k, 29.0 * k + 5, 11.0 * k);
    }
    end(c);
}

static mjModel *read_theirs(const Case *c)
{
    char path[] = "/tmp/kane_bench_XXXXXX.xml", error[500] = "";
    int fd = mkstemps(path, 4);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    const char *tag = strchr(strstr(c->text, "<mujoco"), '>') + 1;
    if (!file)
        return NULL;
    fprintf(file, "%.*s%s%s", (int)(tag - c->text), c->text, BUFFERS, tag);
    fclose(file);
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!m)
        fprintf(stderr, "bench_scenes: %s: MuJoCo: %s\n", c->name, error);
    return m;
}

/* Microseconds per step; negative if MuJoCo printed a warning. */
static double run_theirs(const mjModel *m, double duration)
{
    mjData *d = mj_makeData(m);
    int steps = (int)round(duration / m->opt.timestep), warned = 0;
    if (m->nkey)
        mj_resetDataKeyframe(m, d, 0);
    double start = processor_seconds();
    for (int i = 0; i < steps; i++)
        mj_step(m, d);
    double taken = 1e6 * (processor_seconds() - start) / steps;
    for (int i = 0; i < mjNWARNING; i++)
        warned |= d->warning[i].number > 0;
    mj_deleteData(d);
    return warned ? -1 : taken;
}

static double total(Scene *s)
{
    SceneEnergy e = scene_energy(s);
    return e.kinetic + e.potential + e.springs;
}

/* The deepest contact, from separating overlaps, which reports the depth. */
static double overlap_of(Scene *s)
{
    SceneOverlap o = {0};
    return scene_part_overlaps(s, &o, NULL) ? NAN : o.deepest;
}

/* Returns 0 if a step fails. With `checks` the energy of each step is computed, so that the time is not that of steps
 * alone. */
static int run_ours(const Model *m, double duration, int checks, Run *run)
{
    SceneDef def = scene_default_def();
    Scene *s = NULL;
    Error err = {0};
    int steps = (int)round(duration / m->time_step);
    double energy = 0, start;
    if (scene_create(m, &def, &s, &err))
        goto done;
    if (m->key_count)
        scene_set_state(s, m->key[0].q, m->key[0].v, m->key[0].control);
    start = processor_seconds();
    for (int i = 0; i < steps; i++) {
        if (scene_step(s, &err))
            goto done;
        double before = energy;
        energy = checks ? total(s) : 0;
        run->gained = checks && i ? fmax(run->gained, energy - before) : run->gained;
    }
    run->step = 1e6 * (processor_seconds() - start) / steps;
    if (checks)
        run->overlap = overlap_of(s);
done:
    scene_destroy(s);
    if (err.status)
        fprintf(stderr, "bench_scenes: %s\n", err.text);
    return !err.status;
}

/* Prints the rows of a scene; *ours is the time of kane's step, us. */
static int bench(const Case *c, double *ours)
{
    double kane[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Model model = {0};
    Error err = {0};
    Run run = {0}, checked = {0};
    mjModel *m = read_theirs(c);
    int good = m && !mjcf_parse(c->text, strlen(c->text), &limits, &model, &remarks, &err);
    for (int i = 0; good && i < ROUNDS; i++) {
        good = run_ours(&model, c->duration, 0, &run);
        kane[i] = run.step;
        theirs[i] = run_theirs(m, c->duration);
        ratio[i] = kane[i] / theirs[i];
        good &= theirs[i] > 0;
    }
    good = good && run_ours(&model, c->duration, 1, &checked);
    if (good) {
        *ours = median(kane, ROUNDS);
        printf("scene_%s_step %.1f us\n", c->name, *ours);
        printf("scene_%s_mj_step %.1f us\n", c->name, median(theirs, ROUNDS));
        printf("scene_%s_ratio_to_mj_step %.2f x\n", c->name, median(ratio, ROUNDS));
        printf("scene_%s_overlap_at_end %.2g m\n", c->name, checked.overlap);
        if (!model.actuator_count)
            printf("scene_%s_energy_gained_by_a_step %.2g J\n", c->name, checked.gained);
        fflush(stdout);
    }
    mjcf_remarks_free(&remarks);
    model_free(&model);
    mj_deleteModel(m);
    return good;
}

/* Growth of cost for twice the boxes, between two pyramids. */
static void print_growth(const Case *from, const Case *to, double first, double second)
{
    double doubled = pow(second / first, log(2) / log((double)to->boxes / from->boxes));
    printf("scene_growth_%d_to_%d_boxes %.2f x_for_twice_the_boxes\n", from->boxes, to->boxes, doubled);
}

static int bench_files(const char *only)
{
    static const struct { const char *name, *path; double duration; } files[] = {
        {"humanoid", "tests/bench/humanoid.xml", 2}, {"six_axis_arm", "data/scenes/six_axis_arm.xml", 1},
        {"stack_10", "data/scenes/stack.xml", 1}};
    static Case c;
    double us;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strstr(files[i].name, only) &&
            (!read_file(&c, files[i].name, files[i].path, files[i].duration) || !bench(&c, &us)))
            return 0;
    make_bin(&c);
    return !strstr(c.name, only) || bench(&c, &us);
}

static int bench_pyramids(const char *only)
{
    static Case c, before;
    double us, us_before = 0;
    for (int rows = 2; rows <= 7; rows++) {
        make_pyramid(&c, rows);
        if (!strstr(c.name, only))
            continue;
        if (!bench(&c, &us))
            return 0;
        if (us_before > 0)
            print_growth(&before, &c, us_before, us);
        before = c;
        us_before = us;
    }
    return 1;
}

/* An argument selects the scenes whose names contain it. */
int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    return !(bench_files(only) && bench_pyramids(only));
}
