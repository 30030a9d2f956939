/* analysis/evidence on real files: at least 95 % of the decisions of unit, up axis, frame rate and root offset
 * agree with the manifest that comes with them. Skipped where the files are absent ($KANE_SHARED, else ../shared). */
#include "tests/support/assert_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "formats/bvh/bvh_clip.h"
#include "formats/base/table.h"

typedef struct Tally {
    int right, known, files;
} Tally;

static const char *shared_folder(void)
{
    const char *folder = getenv("KANE_SHARED");
    return folder ? folder : "../shared";
}

/* Metres of the manifest's words ("CMU unit = 5.644 cm (1/0.45 inch)", "decimetre", "cm (leg 96.58)"); 0 for "?". */
static double unit_of_words(const char *words)
{
    if (strncasecmp(words, "CMU", 3) == 0)
        return unit_from_text("cmu");
    if (strncmp(words, "decimetre", 9) == 0)
        return 0.1;
    char name[16] = "";
    sscanf(words, "%15s", name);
    return unit_from_text(name);
}

static RootOffset offset_of_words(const char *quirks)
{
    if (strstr(quirks, "channels absolute (replace OFFSET)"))
        return ROOT_OFFSET_REPLACE;
    if (strstr(quirks, "(add OFFSET)"))
        return ROOT_OFFSET_ADD;
    return ROOT_OFFSET_AUTO;
}

static void count(Tally *tally, int known, int right, const char *what, const char *path)
{
    if (!known)
        return;
    tally->known++;
    tally->right += right != 0;
    if (!right)
        printf("  wrong %s: %s\n", what, path);
}

static const char *cell(const Table *t, int row, const char *column)
{
    int c = table_find(t, column);
    return c < 0 ? "" : t->cell[row * t->column_count + c];
}

/* The manifest's path begins with a folder that the files may have been taken out of. */
static int find_file(const char *listed, char *path, size_t size)
{
    snprintf(path, size, "%s/mocap/%s", shared_folder(), listed);
    if (access(path, R_OK) == 0)
        return 1;
    const char *slash = strchr(listed, '/');
    snprintf(path, size, "%s/mocap/%s", shared_folder(), slash ? slash + 1 : listed);
    return access(path, R_OK) == 0;
}

static void judge_file(const Table *manifest, int row, Tally *tally)
{
    char path[1024], text[200];
    Bvh bvh;
    Clip clip = {0};
    Evidence e;
    EvidenceDef def = evidence_default_def();
    BvhDef limits = bvh_default_def();
    if (!find_file(cell(manifest, row, "path"), path, sizeof path) || bvh_read_path(path, &limits, &bvh, NULL))
        return; /* broken on purpose: the parser's test looks at it */
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, &e, NULL), STATUS_OK);
    evidence_describe(&e, text, sizeof text);
    printf("%s: %s\n", cell(manifest, row, "path"), text);
    double unit = unit_of_words(cell(manifest, row, "unit_guess")), fps = strtod(cell(manifest, row, "fps"), NULL);
    UpAxis up = up_axis_from_text(cell(manifest, row, "up_axis"));
    RootOffset offset = offset_of_words(cell(manifest, row, "quirks"));
    count(tally, unit > 0, fabs(e.metres_per_unit - unit) < 1e-3 * unit, "unit", path);
    count(tally, up != UP_AUTO, e.up == up, "up axis", path);
    count(tally, fps > 0, fabs(e.fps - fps) < 2e-4 * fps, "frame rate", path);
    count(tally, offset != ROOT_OFFSET_AUTO, e.root_offset == offset, "root offset", path);
    tally->files++;
    clip_free(&clip);
    bvh_free(&bvh);
}

static void decisions_agree_with_the_manifest(void **state)
{
    (void)state;
    char path[1024];
    Table manifest;
    Tally tally = {0};
    snprintf(path, sizeof path, "%s/mocap/MANIFEST.tsv", shared_folder());
    if (access(path, R_OK)) {
        printf("real motion files are absent: skipped\n");
        skip();
    }
    assert_int_equal(table_read_path(path, &manifest, NULL), STATUS_OK);
    for (int row = 0; row < manifest.row_count; row++)
        judge_file(&manifest, row, &tally);
    table_free(&manifest);
    printf("%d files, %d of %d decisions right: %.1f %%\n", tally.files, tally.right, tally.known,
           100.0 * tally.right / tally.known);
    assert_true(tally.files > 0);
    assert_true(tally.right >= 0.95 * tally.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decisions_agree_with_the_manifest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
