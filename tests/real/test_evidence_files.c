/* analysis/detect on real files: at least 95 % of the decisions on unit, up axis, frame rate and root offset agree with
 * their manifest. Skipped if the files are absent ($KANE_SHARED, else ../shared). */
#include "tests/support/test.h"

#include "tests/support/manifest_clip.h"
#include "tests/support/read_bvh.h"

#include "formats/bvh/bvh_clip.h"

typedef struct Tally {
    int right, known, files;
} Tally;

static void count(Tally *tally, int known, int right, const char *what, const char *path)
{
    if (!known)
        return;
    tally->known++;
    tally->right += right != 0;
    if (!right)
        printf("  wrong %s: %s\n", what, path);
}

static void judge_file(const ManifestClip *known, Tally *tally)
{
    char text[320];
    Bvh bvh;
    Clip clip = {0};
    ImportGuess e;
    ImportGuessDef def = import_guess_default_def();
    SourceDef limits = source_default_def();
    if (read_bvh(known->path, &limits, &bvh, NULL))
        return; /* broken on purpose: covered by the parser's test */
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, &e, NULL), STATUS_OK);
    import_guess_describe(&e, text, sizeof text);
    printf("%s: %s\n", known->name, text);
    double unit = known->meters_per_unit, fps = known->fps;
    count(tally, unit > 0, fabs(e.meters_per_unit - unit) < 1e-3 * unit, "unit", known->path);
    count(tally, known->up != UP_AUTO, e.up == known->up, "up axis", known->path);
    count(tally, fps > 0, fabs(e.fps - fps) < 2e-4 * fps, "frame rate", known->path);
    count(tally, known->root_offset != ROOT_OFFSET_AUTO, e.root_offset == known->root_offset, "root offset",
          known->path);
    tally->files++;
    clip_free(&clip);
    bvh_free(&bvh);
}

TEST(decisions_agree_with_the_manifest)
{
    int clips;
    Tally tally = {0};
    ManifestClip *clip = manifest_clips(0, &clips);
    if (clips == 0) {
        printf("real motion files are absent: skipped\n");
        free(clip);
        skip();
    }
    for (int i = 0; i < clips; i++)
        judge_file(&clip[i], &tally);
    free(clip);
    printf("%d files, %d of %d decisions right: %.1f %%\n", tally.files, tally.right, tally.known,
           100.0 * tally.right / tally.known);
    assert_true(tally.files > 0);
    assert_true(tally.right >= 0.95 * tally.known);
}
