/* analysis/evidence on real clips whose labels are right, and on copies whose labels are wrong.
 *
 * Uses each clip of ../shared with known unit, axis and rate (manifest_clip.h) in m, +Y up: at its rate; labelled with
 * fractions of it; leaning; with left and right exchanged; with its path removed as on a treadmill and in place.
 *
 *     real_tests test_motion_evidence              the tables and their bounds
 *     real_tests test_motion_evidence measures     the steps of each clip, for research/fit_rate.py
 *     real_tests test_motion_evidence rates        what is said of its rate, for the same */
#define TEST_OWN_MAIN
#include "tests/support/test.h"

#include "analysis/evidence/flights.h"
#include "analysis/evidence/motion_evidence.h"
#include "analysis/evidence/strides.h"
#include "analysis/math/elementary.h"
#include "tests/support/manifest_clip.h"
#include "tests/support/read_bvh.h"

/* This clip's own rate is wrong: its flights fall with six times g at 120 frames per second. */
static const char mislabelled[] = "mass__mass_backflip";

static const double labels[] = {0.25, 0.4, 0.5, 0.6, 2};
static const double angles[] = {5, 10, 20};
enum { LABELS = 5, ANGLES = 3, DIRECTIONS = 4, LONG_ENOUGH = 3 /* s of steps */ };

typedef struct Tally {
    int clips, shown, false_alarms, named[LABELS], long_shown, long_named[LABELS];
    int walks, leaning[ANGLES], false_lean;
    double angle_off; /* degrees, sum over the leaning copies that are reported */
    int faced, reversed, false_reversed;
    int paths, straight_paths, treadmills, in_place, other_paths;
} Tally;

static MotionEvidence evidence_of(const Skeleton *s, const Motion *m)
{
    BodyTrack track;
    MotionEvidence found;
    MotionEvidenceDef def = {.up = vec3(0, 1, 0), .metre = 1, .sides = FACING_NAMES};
    assert_int_equal(body_track_init(&track, s, m, 0, NULL), STATUS_OK);
    assert_int_equal(motion_evidence_judge(s, &track, &def, &found, NULL), STATUS_OK);
    body_track_free(&track);
    return found;
}

static Strides strides_of(const Skeleton *s, const Motion *m, Flights *flights)
{
    BodyTrack track;
    Strides strides;
    assert_int_equal(body_track_init(&track, s, m, 0, NULL), STATUS_OK);
    assert_int_equal(strides_measure(&track, vec3(0, 1, 0), &strides, NULL), STATUS_OK);
    assert_int_equal(flights_measure(&track, vec3(0, 1, 0), flights, NULL), STATUS_OK);
    body_track_free(&track);
    return strides;
}

/* ---- Rate ---- */

static void judge_rates(const ManifestClip *known, const Clip *c, Tally *t)
{
    Flights flights;
    Strides strides = strides_of(&c->skeleton, &c->motion, &flights);
    double seconds = strides.steps * strides.frames * c->motion.frame_time;
    MotionEvidence right = evidence_of(&c->skeleton, &c->motion);
    int is_long = flights.count > 0 || seconds >= LONG_ENOUGH;
    if (!right.rate.is_shown)
        return;
    t->shown++;
    t->long_shown += is_long;
    t->false_alarms += right.rate.is_contradicted;
    if (right.rate.is_contradicted)
        printf("  %s at its rate: %.3g\n", known->name, right.rate.factor);
    for (int l = 0; l < LABELS; l++) {
        Motion labelled = c->motion; /* a shallow copy */
        labelled.frame_time = c->motion.frame_time / labels[l];
        MotionEvidence e = evidence_of(&c->skeleton, &labelled);
        int named = e.rate.is_contradicted && fabs(e.rate.factor * labels[l] - 1) < 0.01;
        t->named[l] += named;
        t->long_named[l] += named && is_long;
    }
}

/* ---- World and sides ---- */

static void turn_world(const Motion *from, Quat turn, Motion *out)
{
    assert_int_equal(motion_copy(out, from, NULL), STATUS_OK);
    for (int f = 0; f < out->frame_count; f++) {
        size_t root = motion_index(out, f, 0);
        out->root_position[f] = quat_rotate(turn, from->root_position[f]);
        out->rotation[root] = quat_mul(turn, from->rotation[root]);
    }
}

/* Prints the clip on a miss. */
static int hit(const ManifestClip *known, const char *what, int is_hit)
{
    if (!is_hit)
        printf("  missed: %s %s\n", what, known->name);
    return is_hit;
}

static void judge_lean(const ManifestClip *known, const Clip *c, Tally *t)
{
    Flights flights;
    Strides strides = strides_of(&c->skeleton, &c->motion, &flights);
    t->false_lean += evidence_of(&c->skeleton, &c->motion).lean.is_leaning;
    if (!strides_are_walking(&strides))
        return;
    t->walks++;
    for (int a = 0; a < ANGLES; a++)
        for (int d = 0; d < DIRECTIONS; d++) {
            Motion leaning;
            Vec3 axis = d < 2 ? vec3(1, 0, 0) : vec3(0, 0, 1);
            turn_world(&c->motion, quat_from_axis_angle(axis, (d % 2 ? -1 : 1) * angles[a] * PI / 180), &leaning);
            LeanJudgement lean = evidence_of(&c->skeleton, &leaning).lean;
            t->leaning[a] += a == 0 ? lean.is_leaning : hit(known, "lean", lean.is_leaning);
            if (lean.is_leaning)
                t->angle_off += fabs(lean.angle * 180 / PI - angles[a]);
            motion_free(&leaning);
        }
}

static void judge_sides(const ManifestClip *known, const Clip *c, Tally *t)
{
    Skeleton exchanged;
    FacingJudgement right = evidence_of(&c->skeleton, &c->motion).facing;
    if (!right.is_shown)
        return;
    assert_int_equal(skeleton_copy(&exchanged, &c->skeleton, NULL), STATUS_OK);
    for (int j = 0; j < exchanged.joint_count; j++)
        exchanged.role[j] = role_mirror(exchanged.role[j]);
    t->faced++;
    t->false_reversed += right.is_contradicted;
    t->reversed += hit(known, "sides", evidence_of(&exchanged, &c->motion).facing.is_contradicted);
    skeleton_free(&exchanged);
}

/* ---- Path ---- */

static void judge_path(const ManifestClip *known, const Clip *c, Tally *t)
{
    Flights flights;
    Motion changed;
    const Motion *m = &c->motion;
    Strides strides = strides_of(&c->skeleton, m, &flights);
    LocomotionJudgement right = evidence_of(&c->skeleton, m).locomotion;
    t->other_paths += right.kind != LOCOMOTION_PATH;
    if (!strides_are_walking(&strides) || right.path < 0.5 || m->translation)
        return;
    Vec3 speed = vec3_scale(vec3_sub(m->root_position[m->frame_count - 1], m->root_position[0]),
                            1 / ((m->frame_count - 1) * m->frame_time));
    speed.y = 0;
    t->paths++;
    assert_int_equal(motion_copy(&changed, m, NULL), STATUS_OK);
    LocomotionKind kind;
    if (vec3_norm(speed) > 0.3) { /* m/s: the path does not return */
        motion_take_off_belt(&changed, speed);
        kind = evidence_of(&c->skeleton, &changed).locomotion.kind;
        t->straight_paths++;
        t->treadmills += hit(known, "treadmill", kind == LOCOMOTION_TREADMILL);
    }
    for (int f = 0; f < m->frame_count; f++)
        changed.root_position[f] = vec3(m->root_position[0].x, m->root_position[f].y, m->root_position[0].z);
    kind = evidence_of(&c->skeleton, &changed).locomotion.kind;
    t->in_place += hit(known, "in place", kind == LOCOMOTION_IN_PLACE);
    motion_free(&changed);
}

/* ---- All clips ---- */

static int read_known(const ManifestClip *known, Clip *clip)
{
    SourceDef limits = source_default_def();
    ImportGuessDef def = import_guess_default_def();
    Bvh bvh;
    def.meters_per_unit = known->meters_per_unit;
    def.up = known->up;
    def.fps = known->fps;
    *clip = (Clip){0};
    if (!(known->meters_per_unit > 0) || known->up == UP_AUTO || read_bvh(known->path, &limits, &bvh, NULL))
        return 0;
    Status status = clip_from_bvh(&bvh, &def, clip, NULL, NULL);
    bvh_free(&bvh);
    return !status;
}

static void print_measures(const ManifestClip *known, const Clip *c)
{
    Flights flights;
    Strides s = strides_of(&c->skeleton, &c->motion, &flights);
    BodyTrack track;
    assert_int_equal(body_track_init(&track, &c->skeleton, &c->motion, 0, NULL), STATUS_OK);
    if (strides_are_walking(&s) || strides_are_running(&s))
        printf("step\t%s\t%s\t%s\t%.6f\t%.6f\t%.6f\n", known->name, known->family,
               strides_are_walking(&s) ? "walk" : "run",
               elementary_log(s.frames * track.frame_time / sqrt(track.leg / 9.80665)), elementary_log(s.length),
               s.fall / 9.80665);
    body_track_free(&track);
}

static void print_rates(const ManifestClip *known, const Clip *c)
{
    Tally t = {0};
    judge_rates(known, c, &t);
    if (t.shown)
        printf("rate\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", known->name, known->family, t.long_shown, t.false_alarms,
               t.named[0], t.named[1], t.named[2], t.named[3], t.named[4]);
}

static void print_tables(const Tally *t)
{
    printf("%d clips, %d with flights or steps, %d of them with a flight or %d s of steps\n", t->clips, t->shown,
           t->long_shown, LONG_ENOUGH);
    printf("| labelled at | 1/4 | 2/5 | 1/2 | 3/5 | 2 | at the true rate, reported |\n|---|---|---|---|---|---|---|\n"
           "| true rate named |");
    for (int l = 0; l < LABELS; l++)
        printf(" %d of %d |", t->named[l], t->shown);
    printf(" %d |\n| of %d s of steps or flights |", t->false_alarms, LONG_ENOUGH);
    for (int l = 0; l < LABELS; l++)
        printf(" %d of %d |", t->long_named[l], t->long_shown);
    int copies = DIRECTIONS * t->walks, reported = t->leaning[0] + t->leaning[1] + t->leaning[2];
    printf(" |\nlean of 5, 10, 20 degrees reported: %d, %d, %d of %d; mean error of the angle %.2g degrees; level: %d "
           "reported of %d\n", t->leaning[0], t->leaning[1], t->leaning[2], copies,
           reported > 0 ? t->angle_off / reported : 0, t->false_lean, t->clips);
    printf("sides exchanged: %d of %d reported; right: %d reported\n", t->reversed, t->faced, t->false_reversed);
    printf("treadmill: %d of %d, in place: %d of %d; with a path: %d reported of %d\n", t->treadmills,
           t->straight_paths, t->in_place, t->paths, t->other_paths, t->clips);
}

/* print: instead of the tally, prints a line of each clip. */
static Tally tally_all(void (*print)(const ManifestClip *, const Clip *))
{
    int clips;
    Tally t = {0};
    ManifestClip *clip = manifest_clips(2, &clips);
    for (int i = 0; i < clips; i++) {
        Clip c;
        if (strcmp(clip[i].name, mislabelled) == 0 || !read_known(&clip[i], &c))
            continue;
        t.clips++;
        if (print) {
            print(&clip[i], &c);
        } else {
            judge_rates(&clip[i], &c, &t);
            judge_lean(&clip[i], &c, &t);
            judge_sides(&clip[i], &c, &t);
            judge_path(&clip[i], &c, &t);
        }
        clip_free(&c);
    }
    free(clip);
    return t;
}

TEST(wrong_labels_are_reported_and_valid_ones_are_not)
{
    Tally t = tally_all(NULL);
    if (t.clips == 0) {
        printf("real motion files are absent: skipped\n");
        skip();
    }
    print_tables(&t);
    for (int l = 0; l < LABELS; l++)
        assert_true(t.long_named[l] >= (labels[l] == 0.6 ? 0.75 : 0.9) * t.long_shown);
    assert_true(t.false_alarms <= 0.02 * t.shown);
    assert_true(t.leaning[1] >= 0.95 * DIRECTIONS * t.walks);
    assert_true(t.leaning[2] >= 0.98 * DIRECTIONS * t.walks);
    assert_true(t.false_lean <= 0.02 * t.clips);
    assert_true(t.reversed >= 0.98 * t.faced);
    assert_true(t.false_reversed <= 0.02 * t.faced);
    assert_int_equal(t.treadmills, t.straight_paths);
    assert_int_equal(t.in_place, t.paths);
    assert_true(t.other_paths <= 0.02 * t.clips);
}

int main(int argc, char **argv)
{
    int measures = argc > 1 && strcmp(argv[1], "measures") == 0, rates = argc > 1 && strcmp(argv[1], "rates") == 0;
    if (!measures && !rates)
        return test_run();
    tally_all(measures ? print_measures : print_rates);
    return 0;
}
