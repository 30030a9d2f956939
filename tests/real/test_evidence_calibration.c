/* analysis/detect: calibration of the confidences of import.
 *
 * Uses each clip of ../shared with known unit, axis and rate, and copies of it: in each unit, scaled by factors from
 * 0.01 to 100, as children, rotated, resampled, with the other interpretation of the root offset, with world positions
 * on each joint. For a copy scaled to a named unit, only that unit is correct; for others, lengths must be within
 * UNIT_TOLERANCE.
 *
 * real_tests test_evidence_calibration            a sample of the copies, and the bounds
 *     real_tests test_evidence_calibration tables     all of them, as tables of docs/validation/import.md
 *     real_tests test_evidence_calibration measures   the measures of each clip in m, for research/fit_evidence.py */
#define TEST_OWN_MAIN
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/motion/resample.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/support/manifest_clip.h"
#include "tests/support/read_bvh.h"
#include "tests/support/walker.h"

static const double metres[] = {0.01, 0.0254, 1, 0.001, 0.0254 / 0.45, 0.1};
static const UpAxis axes[] = {UP_Y, UP_Z, UP_X, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};
static const double rates[] = {30, 60, 24, 120, 25, 100, 50, 240};
enum { UNITS = 6, AXES = 6, RATES = 8 };

/* ---- Kinds of decisions ---- */

typedef enum Kind {
    AS_IT_IS,
    NAMED_UNIT,
    NAMELESS_UNIT,
    CHILD,
    CHILD_IN_UNIT, /* heights of 0.9 to 1.3 m, in inches, decimetres and metres */
    TURNED,
    ROOT_TURNED, /* only the root channels are rotated, not the rest pose */
    RESAMPLED,
    OTHER_OFFSET,
    WORLD_PLACES,
    KINDS
} Kind;
static const char *const kind_names[KINDS] = {
    "unaltered", "another unit", "scaled, no name", "child", "child, in, dm, m", "turned", "root turned", "resampled",
    "other root offset", "world positions"};

typedef enum What { UNIT, UP, RATE, OFFSET, POSITIONS, WHATS } What;
static const char *const what_names[WHATS] = {"unit", "up axis", "frame rate", "root offset", "positions"};

enum { BINS = 6 };
static const double bin_ends[BINS] = {0.5, 0.8, 0.9, 0.95, 0.99, 2};

typedef struct Bin {
    int count, right;
    double confidence; /* sum */
} Bin;

typedef struct Tables {
    Bin bin[WHATS][KINDS][BINS];
    int surely_wrong_children; /* wrong with a confidence of 0.8 or more */
    double places_off;         /* relative to the body size: error of world positions */
} Tables;

/* ---- Copies ---- */

typedef struct Copy {
    Kind kind;
    double meters_per_unit, size; /* size: of the body, 1 unchanged */
    UpAxis up;
    int root_only;
    double yaw, fps;
    RootOffset meaning; /* ROOT_OFFSET_AUTO: the clip's own, unknown */
} Copy;

/* A clip in m, +Y up, whose root channels are absolute positions. */
typedef struct Case {
    const ManifestClip *known;
    Clip clip;
    Vec3 offset; /* the file's ROOT OFFSET, m, world axes */
    ImportGuess own;
    double size; /* m: height estimated from its lengths, from which copies are scaled */
} Case;

static double scaled(const Copy *copy) { return copy->size / copy->meters_per_unit; }

static Vec3 to_file(const Copy *copy, Vec3 v)
{
    Quat back = quat_conjugate(walker_turn(copy->up));
    return vec3_scale(quat_rotate(back, quat_rotate(quat_from_axis_angle(vec3(0, 1, 0), copy->yaw), v)), scaled(copy));
}

/* Body points rotate with the file's axes, unless only the root does. */
static Vec3 bone_to_file(const Copy *copy, Vec3 v)
{
    Quat back = copy->root_only ? QUAT_IDENTITY : quat_conjugate(walker_turn(copy->up));
    return vec3_scale(quat_rotate(back, v), scaled(copy));
}

static void rotations_to_file(const Copy *copy, Motion *m)
{
    Quat back = quat_conjugate(walker_turn(copy->up)), yaw = quat_from_axis_angle(vec3(0, 1, 0), copy->yaw);
    for (size_t i = 0; i < (size_t)m->frame_count * (size_t)m->joint_count; i++) {
        int is_root = i % (size_t)m->joint_count == 0;
        Quat q = is_root ? quat_mul(yaw, m->rotation[i]) : m->rotation[i];
        if (copy->root_only)
            m->rotation[i] = is_root ? quat_mul(back, q) : q;
        else
            m->rotation[i] = quat_mul(quat_mul(back, q), quat_conjugate(back));
    }
}

/* As written to a file, with the digits of a typical Frame Time. */
static void make_copy(const Case *c, const Copy *copy, Skeleton *s, Motion *m)
{
    const Motion *from = &c->clip.motion;
    Vec3 offset = to_file(copy, c->offset);
    assert_int_equal(skeleton_copy(s, &c->clip.skeleton, NULL), STATUS_OK);
    assert_int_equal(motion_resample(from, copy->fps > 0 ? copy->fps : 1 / from->frame_time, m, NULL), STATUS_OK);
    for (int j = 0; j < s->joint_count; j++)
        s->offset[j] = bone_to_file(copy, s->offset[j]);
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = bone_to_file(copy, s->end_offset[e]);
    s->offset[0] = offset;
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] =
            vec3_sub(to_file(copy, m->root_position[f]), copy->meaning == ROOT_OFFSET_ADD ? offset : vec3(0, 0, 0));
    for (size_t i = 0; m->translation && i < (size_t)m->frame_count * (size_t)m->joint_count; i++)
        m->translation[i] = bone_to_file(copy, m->translation[i]);
    rotations_to_file(copy, m);
    m->frame_time = rint(1e6 / (copy->fps > 0 ? copy->fps : 1 / from->frame_time)) / 1e6;
}

/* World positions on each joint below the root, as some exporters write them. */
static void write_places(Skeleton *s, Motion *m)
{
    size_t joints = (size_t)m->joint_count, count = (size_t)m->frame_count * joints;
    Vec3 *place = calloc(count, sizeof *place);
    Quat *turned = calloc(count, sizeof *turned);
    assert_non_null(place);
    assert_non_null(turned);
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = s, .motion = m}, LANES_AUTO,
                                        &(WorldPoses){.position = place, .orientation = turned}, NULL),
                     STATUS_OK);
    for (size_t i = 0; i < count; i += joints)
        place[i] = vec3(0, 0, 0);
    free(m->translation);
    free(turned);
    m->translation = place;
}

/* Largest position error of a joint relative to the clip's size, after conversion of world positions. */
static double places_off(const Skeleton *s, const Motion *m, const Vec3 *place)
{
    size_t joints = (size_t)m->joint_count, count = (size_t)m->frame_count * joints;
    WorldPoses poses = {.position = calloc(count, sizeof *poses.position),
                        .orientation = calloc(count, sizeof *poses.orientation)};
    double off = 0, size = 0;
    assert_non_null(poses.position);
    assert_non_null(poses.orientation);
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = s, .motion = m}, LANES_AUTO, &poses, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        if (i % joints == 0)
            continue;
        off = fmax(off, vec3_distance(poses.position[i], place[i]));
        size = fmax(size, vec3_distance(poses.position[i], poses.position[i - i % joints]));
    }
    free(poses.position);
    free(poses.orientation);
    return off / size;
}

/* ---- Judging ---- */

static int unit_is_right(double decided, double known)
{
    if (unit_name(known))
        return fabs(decided - known) < 1e-3 * known;
    return fabs(elementary_log(decided / known)) <= elementary_log(UNIT_TOLERANCE);
}

static void judge(Tables *t, What what, Kind kind, int right, double confidence)
{
    int b = 0;
    while (confidence >= bin_ends[b])
        b++;
    Bin *bin = &t->bin[what][kind][b];
    bin->count++;
    bin->right += right != 0;
    bin->confidence += confidence;
}

static PositionDecision settle_places(Skeleton *s, Motion *m, Tables *t)
{
    size_t bytes = (size_t)m->frame_count * (size_t)m->joint_count * sizeof(Vec3);
    ImportGuessDef def = import_guess_default_def();
    PositionDecision decision;
    Vec3 *place = malloc(bytes);
    assert_non_null(place);
    write_places(s, m);
    memcpy(place, m->translation, bytes);
    assert_int_equal(import_guess_settle_positions(&def, s, m, &decision, NULL), STATUS_OK);
    t->places_off = fmax(t->places_off, places_off(s, m, place));
    free(place);
    return decision;
}

static void judge_copy(const Case *c, const Copy *copy, Tables *t)
{
    Skeleton s;
    Motion m;
    ImportGuess e;
    PositionDecision positions;
    ImportGuessDef def = import_guess_default_def();
    make_copy(c, copy, &s, &m);
    if (copy->kind == WORLD_PLACES)
        positions = settle_places(&s, &m, t);
    else
        assert_int_equal(import_guess_settle_positions(&def, &s, &m, &positions, NULL), STATUS_OK);
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, NULL), STATUS_OK);
    int right = unit_is_right(e.meters_per_unit, copy->meters_per_unit);
    int child = copy->kind == CHILD || copy->kind == CHILD_IN_UNIT;
    if (child && !right && e.unit_confidence >= 0.8) {
        t->surely_wrong_children++;
        printf("  %s, %.3g m in %s: read in %s, %.2g\n", c->known->name, c->size * copy->size,
               unit_name(copy->meters_per_unit), unit_name(e.meters_per_unit), e.unit_confidence);
    }
    judge(t, UNIT, copy->kind, right, e.unit_confidence);
    judge(t, UP, copy->kind, e.up == copy->up, e.up_confidence);
    if (copy->fps > 0)
        judge(t, RATE, copy->kind, fabs(e.fps - copy->fps) < 1e-6 * copy->fps, e.fps_confidence);
    if (copy->meaning != ROOT_OFFSET_AUTO && vec3_norm(c->offset) > 0)
        judge(t, OFFSET, copy->kind, e.root_offset == copy->meaning, e.root_offset_confidence);
    judge(t, POSITIONS, copy->kind,
          positions.meaning == (copy->kind == WORLD_PLACES ? POSITIONS_WORLD : POSITIONS_LOCAL), positions.confidence);
    skeleton_free(&s);
    motion_free(&m);
}

/* The unchanged file. */
static void judge_file(const Case *c, Tables *t)
{
    const ManifestClip *known = c->known;
    const ImportGuess *e = &c->own;
    judge(t, UNIT, AS_IT_IS, unit_is_right(e->meters_per_unit, known->meters_per_unit), e->unit_confidence);
    if (known->up != UP_AUTO)
        judge(t, UP, AS_IT_IS, e->up == known->up, e->up_confidence);
    judge(t, RATE, AS_IT_IS, !(known->fps > 0) || fabs(e->fps - known->fps) < 2e-4 * e->fps, e->fps_confidence);
    if (known->root_offset != ROOT_OFFSET_AUTO)
        judge(t, OFFSET, AS_IT_IS, e->root_offset == known->root_offset, e->root_offset_confidence);
    judge(t, POSITIONS, AS_IT_IS, e->positions == POSITIONS_LOCAL, e->positions_confidence);
}

static Copy like_file(const Case *c, Kind kind)
{
    return (Copy){.kind = kind, .meters_per_unit = c->known->meters_per_unit, .size = 1,
                  .up = c->known->up != UP_AUTO ? c->known->up : UP_Y, .meaning = c->known->root_offset};
}

static void judge_sizes(const Case *c, int index, int steps, Tables *t)
{
    for (int u = 0; u < UNITS; u++) {
        Copy copy = like_file(c, NAMED_UNIT);
        copy.meters_per_unit = metres[u];
        copy.yaw = index + u;
        if (fabs(metres[u] - c->known->meters_per_unit) > 1e-6)
            judge_copy(c, &copy, t);
    }
    for (int i = 0; i < steps; i++) {
        Copy copy = like_file(c, NAMELESS_UNIT);
        double factor = elementary_exp(elementary_log(1e4) * (i + 0.37) / steps) / 100; /* 0.01 to 100 */
        copy.meters_per_unit /= factor;
        copy.yaw = 0.3 * i;
        judge_copy(c, &copy, t);
    }
}

static void judge_children(const Case *c, int step, Tables *t)
{
    const double in[] = {0.0254, 0.1, 1};
    for (int i = 0; c->size > 0 && i < 5; i += step) {
        Copy copy = like_file(c, CHILD);
        copy.size = (0.9 + 0.1 * i) / c->size;
        judge_copy(c, &copy, t);
        copy.kind = CHILD_IN_UNIT;
        for (int u = 0; u < 3; u++) {
            copy.meters_per_unit = in[u];
            judge_copy(c, &copy, t);
        }
    }
}

static void judge_turns_and_rates(const Case *c, int index, int step, Tables *t)
{
    for (int a = index % step; a < 2 * AXES; a += step) {
        Copy copy = like_file(c, a < AXES ? TURNED : ROOT_TURNED);
        copy.up = axes[a % AXES];
        copy.root_only = a >= AXES;
        copy.yaw = 1.1 * (a + index);
        judge_copy(c, &copy, t);
    }
    for (int r = index % step; r < RATES; r += step) {
        Copy copy = like_file(c, RESAMPLED);
        copy.fps = rates[r];
        judge_copy(c, &copy, t);
    }
}

static void judge_places(const Case *c, Tables *t)
{
    Copy copy = like_file(c, WORLD_PLACES);
    copy.meaning = ROOT_OFFSET_AUTO;
    judge_copy(c, &copy, t);
}

/* Both interpretations of the file's own offset. */
static void judge_offsets(const Case *c, Tables *t)
{
    for (RootOffset meaning = ROOT_OFFSET_ADD; meaning <= ROOT_OFFSET_REPLACE; meaning++) {
        Copy copy = like_file(c, OTHER_OFFSET);
        copy.meaning = meaning;
        if (vec3_norm(c->offset) > 0)
            judge_copy(c, &copy, t);
    }
}

/* ---- Cases ---- */

/* Returns 0 if the file cannot be read or its unit is unknown. Leading frames are kept, as in the copies. */
static int case_init(Case *c, const ManifestClip *known)
{
    Bvh bvh;
    SourceDef limits = source_default_def();
    ImportGuessDef def = import_guess_default_def(), truth = {.meters_per_unit = known->meters_per_unit,
                                                              .up = known->up,
                                                              .root_offset = known->root_offset,
                                                              .keep_first_frame = 1};
    *c = (Case){.known = known};
    if (!(known->meters_per_unit > 0) || read_bvh(known->path, &limits, &bvh, NULL))
        return 0;
    Clip decided = {0};
    BodyMeasures measures;
    assert_int_equal(clip_from_bvh(&bvh, &def, &decided, &c->own, NULL), STATUS_OK);
    assert_int_equal(body_measures(&decided.skeleton, &decided.motion, 0, vec3(0, 1, 0), &measures, NULL), STATUS_OK);
    c->size = measures.stature;
    clip_free(&decided);
    assert_int_equal(clip_from_bvh(&bvh, &truth, &c->clip, NULL, NULL), STATUS_OK);
    c->offset = c->clip.skeleton.offset[0];
    bvh_free(&bvh);
    return 1;
}

static void for_all(void (*visit)(const Case *c, int index, void *data), void *data, int *count)
{
    int clips;
    ManifestClip *clip = manifest_clips(1, &clips);
    *count = 0;
    for (int i = 0; i < clips; i++) {
        Case c;
        if (!case_init(&c, &clip[i]))
            continue;
        visit(&c, (*count)++, data);
        clip_free(&c.clip);
    }
    free(clip);
}

static void visit_some(const Case *c, int index, void *data)
{
    Tables *t = data;
    judge_file(c, t);
    if (strcmp(c->known->family, "trials") == 0 && index % 4)
        return;
    judge_sizes(c, index, 9, t);
    judge_children(c, 2, t);
    judge_turns_and_rates(c, index, 5, t);
    judge_offsets(c, t);
    judge_places(c, t);
}

static void visit_all(const Case *c, int index, void *data)
{
    Tables *t = data;
    judge_file(c, t);
    judge_sizes(c, index, 41, t);
    judge_children(c, 1, t);
    judge_turns_and_rates(c, index, 1, t);
    judge_offsets(c, t);
    judge_places(c, t);
}

/* ---- Tables ---- */

static void print_row(const char *name, const Bin bin[BINS])
{
    printf("| %s |", name);
    for (int b = 0; b < BINS; b++)
        if (bin[b].count)
            printf(" %d of %d, %.2f |", bin[b].right, bin[b].count, bin[b].confidence / bin[b].count);
        else
            printf(" |");
    printf("\n");
}

static void print_tables(const Tables *t)
{
    for (int w = 0; w < WHATS; w++) {
        printf("\n| %s, confidence | under 0.5 | 0.5-0.8 | 0.8-0.9 | 0.9-0.95 | 0.95-0.99 | 0.99 and more |\n"
               "|---|---|---|---|---|---|---|\n", what_names[w]);
        for (int k = 0; k < KINDS; k++) {
            int count = 0;
            for (int b = 0; b < BINS; b++)
                count += t->bin[w][k][b].count;
            if (count)
                print_row(kind_names[k], t->bin[w][k]);
        }
    }
}

/* Over the kinds from first to last, decisions with a confidence of 0.95 or more. */
static Bin confident_bin(const Tables *t, What what, Kind first, Kind last)
{
    Bin sum = {0};
    for (Kind k = first; k <= last; k++)
        for (int b = 4; b < BINS; b++) {
            sum.count += t->bin[what][k][b].count;
            sum.right += t->bin[what][k][b].right;
        }
    return sum;
}

static int decided_count(const Tables *t, What what, Kind kind)
{
    int count = 0;
    for (int b = 0; b < BINS; b++)
        count += t->bin[what][kind][b].count;
    return count;
}

/* ---- Tests ---- */

TEST(decisions_at_0_95_confidence_are_correct)
{
    static Tables t;
    int cases, confident = 0, known = 0;
    for_all(visit_some, &t, &cases);
    if (cases == 0) {
        printf("real motion files are absent: skipped\n");
        skip();
    }
    print_tables(&t);
    for (What w = 0; w < WHATS; w++) {
        Bin sure = confident_bin(&t, w, AS_IT_IS, KINDS - 1);
        printf("%s: %d of %d at a confidence of 0.95 or more are right\n", what_names[w], sure.right, sure.count);
        assert_true(sure.right >= 0.97 * sure.count);
        confident += confident_bin(&t, w, AS_IT_IS, AS_IT_IS).count;
        known += decided_count(&t, w, AS_IT_IS);
    }
    printf("unaltered: %d of %d decisions at a confidence of 0.95 or more\n", confident, known);
    assert_true(confident >= 0.85 * known);
    printf("places in the world: missed by %.2g of the body's size at most\n", t.places_off);
    assert_true(t.places_off < 0.01);
    printf("children: %d wrong at 0.8 or more\n", t.surely_wrong_children);
    assert_int_equal(t.surely_wrong_children, 0);
}

static void print_measures(const Case *c, int index, void *data)
{
    (void)data;
    BodyMeasures m;
    int first = c->own.drop_first_frame && c->clip.motion.frame_count > 1;
    if (index == 0)
        printf("family\tname\tmetres_per_unit\tstature\tfall\tdrop\tspeed\textent\tcmu\n");
    assert_int_equal(body_measures(&c->clip.skeleton, &c->clip.motion, first, vec3(0, 1, 0), &m, NULL), STATUS_OK);
    printf("%s\t%s\t%.9g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%d\n", c->known->family, c->known->name,
           c->known->meters_per_unit, m.stature, m.fall, m.drop, m.speed, m.extent, m.is_cmu);
}

int main(int argc, char **argv)
{
    static Tables t;
    int cases;
    if (argc > 1 && strcmp(argv[1], "measures") == 0) {
        for_all(print_measures, NULL, &cases);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "tables") == 0) {
        for_all(visit_all, &t, &cases);
        print_tables(&t);
        return 0;
    }
    return test_run();
}
