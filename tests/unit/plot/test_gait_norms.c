/* formats/plot/plot_figure: published curves with the names and units of kane; panels. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/plot/plot_figure.h"
#include "formats/plot/gait_norms.h"
#include "formats/plot/gait_figure.h"
#include "tests/support/test_folder.h"

static const char schwartz[] = "speed\tquantity\taxis\tpercent\tlow\thigh\n"
                               "Slow\tHipAngles\tX\t0\t10\t20\nSlow\tHipAngles\tX\t100\t10\t20\n"
                               "Free\tHipAngles\tX\t0\t20\t30\nFree\tHipAngles\tX\t50\t0\t10\n"
                               "Free\tHipAngles\tX\t100\t20\t30\nFree\tPelvisAngles\tX\t0\t1\t2\n"
                               "Free\tAnkleMoment\tX\t0\t0\t100\nFree\tAnkleMoment\tX\t100\t1000\t1400\n";

static Status read_text(TestFolder *folder, const char *text, const char *speed, GaitNorms *out, Error *err)
{
    const char *path = test_folder_file(folder, "norms.tsv");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return gait_norms_read(path, speed, out, err);
}

TEST(published_curves_map_by_plane)
{
    TestFolder folder = test_folder_make();
    GaitNorms norms;
    assert_int_equal(read_text(&folder, schwartz, NULL, &norms, NULL), STATUS_OK);
    assert_string_equal(norms.speed, "Free");
    assert_int_equal(norms.count, 2); /* the pelvis is not a coordinate */
    const GaitNorm *hip = gait_norms_find(&norms, COORDINATE_RIGHT_HIP_FLEXION, GAIT_ANGLE);
    assert_non_null(hip);
    assert_near(hip->low[0], 20, 0);
    assert_near(hip->high[25], 20, 1e-12);
    assert_near(hip->low[75], 10, 1e-12);
    assert_near(hip->high[100], 30, 0);
    const GaitNorm *ankle = gait_norms_find(&norms, COORDINATE_LEFT_ANKLE_DORSIFLEXION, GAIT_MOMENT);
    assert_near(ankle->low[100], -1.4, 1e-12); /* Nmm/kg of plantarflexion */
    assert_near(ankle->high[100], -1.0, 1e-12);
    assert_null(gait_norms_find(&norms, COORDINATE_LEFT_KNEE_FLEXION, GAIT_ANGLE));
    gait_norms_free(&norms);
    assert_int_equal(read_text(&folder, schwartz, "slow", &norms, NULL), STATUS_OK);
    assert_near(norms.norm[0].low[60], 10, 0);
    gait_norms_free(&norms);
    test_folder_remove(&folder);
}

TEST(kane_names_and_units_are_read)
{
    TestFolder folder = test_folder_make();
    GaitNorms norms;
    assert_int_equal(read_text(&folder, "coordinate\tquantity\tpercent\tlow\thigh\n"
                                        "right_knee_flexion\tmoment\t10\t-1\t1\nright_knee_flexion\tmoment\t90\t0\t2\n",
                               NULL, &norms, NULL), STATUS_OK);
    assert_string_equal(norms.speed, "");
    const GaitNorm *knee = gait_norms_find(&norms, COORDINATE_LEFT_KNEE_FLEXION, GAIT_MOMENT);
    assert_near(knee->low[0], -1, 0); /* constant beyond the ends */
    assert_near(knee->high[50], 1.5, 1e-12);
    assert_near(knee->high[100], 2, 0);
    gait_norms_free(&norms);
    test_folder_remove(&folder);
}

#define TEN_PERCENT "left_knee_flexion\tangle\t10\t0\t1\n"
TEST(invalid_norm_tables_are_refused)
{
    static const char *const wrong[] = {
        "quantity\tpercent\tlow\thigh\n",
        "coordinate\tquantity\tpercent\tlow\n",
        "coordinate\tquantity\tpercent\tlow\thigh\nleft_knee_flexion\tangle\t10\tx\t1\n",
        "coordinate\tquantity\tpercent\tlow\thigh\n" TEN_PERCENT TEN_PERCENT,
        "coordinate\tquantity\tpercent\tlow\thigh\ntail\tangle\t10\t0\t1\n",
    };
    (void)state;
    TestFolder folder = test_folder_make();
    GaitNorms norms;
    Error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(read_text(&folder, wrong[i], NULL, &norms, &err), STATUS_BAD_INPUT);
    assert_int_equal(read_text(&folder, wrong[3], NULL, &norms, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 3);
    assert_int_equal(read_text(&folder, schwartz, "Fast", &norms, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "Fast"));
    test_folder_remove(&folder);
}

static char *script_of(const Gait *gait, const GaitNorms *norms, Status expected)
{
    PlotDef def = gait_figure_default_def();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gait_figure_script(gait, GAIT_PER_MASS, norms, &def, out, NULL), expected);
    fclose(out);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

TEST(figure_has_one_panel_per_curve)
{
    TestFolder folder = test_folder_make();
    GaitCurve curve[3] = {{COORDINATE_LEFT_HIP_FLEXION, GAIT_ANGLE, 3, {0}, {0}, {0}},
                          {COORDINATE_RIGHT_HIP_FLEXION, GAIT_ANGLE, 1, {0}, {0}, {0}},
                          {COORDINATE_LEFT_KNEE_FLEXION, GAIT_MOMENT, 2, {0}, {0}, {0}}};
    Gait gait = {.curve = curve, .curve_count = 3};
    GaitNorms norms;
    for (int p = 0; p < GAIT_POINTS; p++) {
        curve[0].mean[p] = p;
        curve[0].deviation[p] = 2;
    }
    curve[2].mean[7] = NAN; /* unknown: no curve */
    assert_int_equal(read_text(&folder, schwartz, NULL, &norms, NULL), STATUS_OK);
    char *text = script_of(&gait, &norms, STATUS_OK);
    assert_non_null(strstr(text, "set multiplot layout 1,3\n"));
    assert_int_equal(count_of(text, "\nplot "), 1);
    assert_non_null(strstr(text, "set title 'hip flexion: angle'"));
    assert_non_null(strstr(text, "title 'left, 3 strides'"));
    assert_non_null(strstr(text, "title 'right, 1 stride'"));
    assert_non_null(strstr(text, "title 'norm, Free'"));
    assert_non_null(strstr(text, "\n10 10 nan 8 12\n"));
    assert_non_null(strstr(text, "$curve2 << END\n0 25 nan 20 30\n"));
    free(text);
    text = script_of(&gait, NULL, STATUS_OK);
    assert_null(strstr(text, "norm"));
    free(text);
    gait.curve_count = 0;
    free(script_of(&gait, NULL, STATUS_BAD_INPUT));
    gait_norms_free(&norms);
    test_folder_remove(&folder);
}
