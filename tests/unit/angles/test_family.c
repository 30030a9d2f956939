/* analysis/angles/family: when skeletons are equal, and what their files decide together. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/angles/family.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/up_axis.h"
#include "tests/support/walker.h"

static void key_of_changed(int joint, Vec3 by, char key[FAMILY_KEY_SIZE])
{
    Skeleton s;
    walker_skeleton(&s);
    s.offset[joint] = vec3_add(s.offset[joint], by);
    family_key(&s, key);
    skeleton_free(&s);
}

TEST(key_depends_on_bones_and_not_on_position)
{
    char plain[FAMILY_KEY_SIZE], other[FAMILY_KEY_SIZE];
    key_of_changed(0, vec3(0, 0, 0), plain);
    assert_int_equal(strlen(plain), 16);
    key_of_changed(0, vec3(2, 0.1, -3), other); /* position of the person */
    assert_string_equal(plain, other);
    key_of_changed(6, vec3(0, 1e-7, 0), other); /* rounding */
    assert_string_equal(plain, other);
    key_of_changed(6, vec3(0, 0.01, 0), other); /* a longer shank */
    assert_string_not_equal(plain, other);
}

/* The step is a power of two that follows the longest bone, for bones far shorter and far longer than 1. */
TEST(key_is_equal_at_scales_of_powers_of_two)
{
    char key[3][FAMILY_KEY_SIZE];
    static const double scale[3] = {1, 8192, 1.0 / 8192};
    for (int i = 0; i < 3; i++) {
        Skeleton s;
        walker_skeleton(&s);
        for (int j = 0; j < s.joint_count; j++)
            s.offset[j] = vec3_scale(s.offset[j], scale[i]);
        family_key(&s, key[i]);
        skeleton_free(&s);
    }
    assert_string_equal(key[0], key[1]);
    assert_string_equal(key[0], key[2]);
}

TEST(key_includes_names_parents_and_channels)
{
    char plain[FAMILY_KEY_SIZE], other[FAMILY_KEY_SIZE];
    for (int change = 0; change < 3; change++) {
        Skeleton s;
        walker_skeleton(&s);
        assert_int_equal(skeleton_add_channels(&s, NULL), STATUS_OK);
        family_key(&s, plain);
        if (change == 0)
            assert_int_equal(skeleton_set_name(&s, 3, "Foot", NULL), STATUS_OK);
        if (change == 1)
            s.parent[19] = 11;
        if (change == 2)
            s.channels[5] = 465;
        family_key(&s, other);
        assert_string_not_equal(plain, other);
        skeleton_free(&s);
    }
}

/* Hips below a static root: their OFFSET may be the position of the subject. */
TEST(key_excludes_offset_of_the_only_child_of_the_root)
{
    char key[2][FAMILY_KEY_SIZE];
    for (int i = 0; i < 2; i++) {
        Skeleton s;
        assert_int_equal(skeleton_init(&s, 3, 0, NULL), STATUS_OK);
        for (int j = 0; j < 3; j++) {
            assert_int_equal(skeleton_set_name(&s, j, j ? j > 1 ? "Spine" : "Hips" : "Root", NULL), STATUS_OK);
            s.parent[j] = j - 1;
            s.offset[j] = vec3(0, j == 1 ? 94 + 300 * i : 15, 0);
        }
        family_key(&s, key[i]);
        skeleton_free(&s);
    }
    assert_string_equal(key[0], key[1]);
}

/* ---- The decision ---- */

/* A file whose position channels are resolved: its unit is measured on the resulting body. */
typedef struct File {
    PositionMeaning positions;
    double positions_confidence;
    double unit, unit_confidence;        /* with its own position channels */
    double other_unit, other_confidence; /* with other ones */
} File;

typedef struct Files {
    const File *file;
    ImportGuessDef def;
    int reads;
} Files;

static Status read_file(void *context, int clip, FamilyVote *vote, Error *err)
{
    Files *files = context;
    const File *f = &files->file[clip];
    const Family *family = vote->def.family;
    (void)err;
    vote->def = files->def;
    vote->def.family = family;
    files->reads++;
    vote->guess = (ImportGuess){.positions = f->positions,
                                .positions_confidence = f->positions_confidence,
                                .up = UP_Y,
                                .up_confidence = 1,
                                .meters_per_unit = f->unit,
                                .unit_confidence = f->unit_confidence};
    if (family->positions_confidence > 0 && family->positions != f->positions &&
        f->positions_confidence < FAMILY_DISSENT) {
        vote->guess.positions = family->positions;
        vote->guess.meters_per_unit = f->other_unit;
        vote->guess.unit_confidence = f->other_confidence;
    }
    vote->is_read = f->positions != POSITIONS_AUTO;
    return STATUS_OK;
}

static Family decide(const File *file, int count, ImportGuessDef def, int *reads)
{
    Family family = {0};
    Files files = {file, def, 0};
    assert_int_equal(family_decide(read_file, &files, count, &family, NULL), STATUS_OK);
    *reads = files.reads;
    return family;
}

#define LOCAL(p) {POSITIONS_LOCAL, p, 0.01, 0.99, 0.01, 0.99}
#define ADDED(p) {POSITIONS_ADDED, p, 0.001, 0.9, 0.01, 0.98} /* on a body of twice the size the unit looks smaller */

TEST(half_with_higher_confidence_decides)
{
    int reads;
    const File half[] = {LOCAL(0.99), ADDED(0.7), ADDED(0.9), LOCAL(0.99), ADDED(0.6), LOCAL(0.99)};
    Family f = decide(half, 6, import_guess_default_def(), &reads);
    assert_int_equal(f.positions, POSITIONS_LOCAL);
    assert_near(f.meters_per_unit, 0.01, 0);
    assert_true(f.unit_confidence > 0.98);
    assert_int_equal(reads, 6 + 3); /* only overruled files are read again */
    const double votes[] = {0.99, 0.3, 0.1, 0.99, 0.4, 0.99};
    double odds = 0;
    for (int i = 0; i < 6; i++)
        odds += elementary_log(votes[i] / (1 - votes[i])) / 6;
    assert_near(f.positions_confidence, 1 / (1 + elementary_exp(-odds)), 1e-12);
}

TEST(equal_clips_do_not_raise_confidence)
{
    int reads;
    File file[40];
    for (int i = 0; i < 40; i++)
        file[i] = (File)LOCAL(0.9);
    Family f = decide(file, 40, import_guess_default_def(), &reads);
    assert_near(f.positions_confidence, 0.9, 1e-12);
    assert_near(f.unit_confidence, 0.99, 1e-12);
    assert_int_equal(reads, FAMILY_CLIPS);
}

TEST(options_and_unreadable_files_have_no_vote)
{
    int reads;
    const File file[] = {{0}, ADDED(0.9), {0}, LOCAL(0.6)};
    ImportGuessDef def = import_guess_default_def();
    Family f = decide(file, 4, def, &reads);
    assert_int_equal(f.positions, POSITIONS_ADDED);
    def.meters_per_unit = 0.0254;
    f = decide(file, 4, def, &reads);
    assert_near(f.unit_confidence, 0, 0);
    f = decide(file, 1, def, &reads); /* no file can be read */
    assert_near(f.positions_confidence + f.up_confidence + f.unit_confidence, 0, 0);
}

TEST(decided_family_is_unchanged)
{
    Family family = {.positions = POSITIONS_ADDED, .positions_confidence = 0.8};
    const File file[] = {LOCAL(0.9), LOCAL(0.9)};
    Files files = {file, import_guess_default_def(), 0};
    assert_int_equal(family_decide(read_file, &files, 2, &family, NULL), STATUS_OK);
    assert_int_equal(family.positions, POSITIONS_ADDED);
    assert_near(family.positions_confidence, 0.8, 0);
    assert_near(family.meters_per_unit, 0.01, 0);
}
