/* formats/export/gait_table: strides, steps and curves as tables and as JSON, with gaps for unknown values. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/export/gait_table.h"

typedef struct Case {
    GaitStride stride[2];
    GaitStep step;
    GaitCurve curve;
    Gait gait;
} Case;

static void make_case(Case *c)
{
    *c = (Case){.stride = {{FOOT_LEFT, 0.25, 1.5, 1.2, 0.8, 80, 0.625}, {FOOT_RIGHT, 1, 1.25, NAN, NAN, 96, 0.5}},
                .step = {FOOT_RIGHT, 0.5, 0.75, 0.6, -0.125},
                .curve = {.coordinate = COORDINATE_LEFT_KNEE_FLEXION, .quantity = GAIT_MOMENT, .strides = 3}};
    for (int i = 0; i < GAIT_POINTS; i++) {
        c->curve.mean[i] = i / 4.0;
        c->curve.deviation[i] = i == 2 ? NAN : 0.5;
        c->curve.error_sd[i] = i < 4 ? 0.125 : NAN;
    }
    c->gait = (Gait){.stride_count = 2, .step_count = 1, .curve_count = 1, .stride = c->stride, .step = &c->step,
                     .curve = &c->curve};
}

/* Owned by the caller. */
static char *table(const Gait *gait, GaitTableKind kind, const char *title)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    gait_table_head(kind, stream);
    gait_table_rows(gait, kind, GAIT_PER_MASS, title, stream);
    fclose(stream);
    return text;
}

TEST(strides_and_steps_are_rows)
{
    Case c;
    make_case(&c);
    char *text = table(&c.gait, GAIT_STRIDES, "walk");
    assert_string_equal(text, "clip\tfoot\ttime_s\tduration_s\tlength_m\tspeed_m_s\t"
                              "cadence_steps_per_min\tstance_fraction\n"
                              "walk\tleft\t0.25\t1.5\t1.2\t0.8\t80\t0.625\n"
                              "walk\tright\t1\t1.25\tnan\tnan\t96\t0.5\n");
    free(text);
    text = table(&c.gait, GAIT_STEPS, "a\tb"); /* titles are untrusted */
    assert_string_equal(text, "clip\tfoot\ttime_s\tduration_s\tlength_m\twidth_m\n"
                              "a\\x09b\tright\t0.5\t0.75\t0.6\t-0.125\n");
    free(text);
}

TEST(curve_has_one_row_per_percent)
{
    Case c;
    int lines = 0;
    make_case(&c);
    char *text = table(&c.gait, GAIT_CURVES, "walk");
    const char *head = "clip\tcoordinate\tquantity\tunit\tstrides\tpercent\tmean\tsd\terror_sd\n"
                       "walk\tleft_knee_flexion\tmoment\tN m/kg\t3\t0\t0\t0.5\t0.125\n";
    assert_memory_equal(text, head, strlen(head));
    assert_non_null(strstr(text, "\nwalk\tleft_knee_flexion\tmoment\tN m/kg\t3\t2\t0.5\tnan\t0.125\n"));
    assert_non_null(strstr(text, "\t100\t25\t0.5\t\n"));
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + GAIT_POINTS);
    free(text);
    c.curve.strides = 1; /* no deviation */
    text = table(&c.gait, GAIT_CURVES, "walk");
    assert_non_null(strstr(text, "\nwalk\tleft_knee_flexion\tmoment\tN m/kg\t1\t100\t25\t\t\n"));
    free(text);
}

TEST(json_has_one_object_per_clip)
{
    Case c;
    char *text = NULL;
    size_t size;
    make_case(&c);
    FILE *stream = open_memstream(&text, &size);
    gait_json(&c.gait, GAIT_PER_MASS_HEIGHT, "w\"alk", stream);
    fclose(stream);
    assert_non_null(strstr(text, "{\"clip\": \"w\\\"alk\", \"strides\": [{\"foot\": \"left\", \"time_s\": 0.25, "));
    assert_non_null(strstr(text, "}, {\"foot\": \"right\", \"time_s\": 1, \"duration_s\": 1.25, \"length_m\": null, "));
    assert_non_null(strstr(text, "], \"steps\": [{\"foot\": \"right\", \"time_s\": 0.5, \"duration_s\": 0.75, "
                                 "\"length_m\": 0.6, \"width_m\": -0.125}], \"curves\": [{\"coordinate\": "
                                 "\"left_knee_flexion\", \"quantity\": \"moment\", \"unit\": \"1\", \"strides\": 3, "
                                 "\"mean\": [0, 0.25, 0.5"));
    assert_non_null(strstr(text, "\"sd\": [0.5, 0.5, null, 0.5"));
    assert_non_null(strstr(text, "\"error_sd\": [0.125, 0.125, 0.125, 0.125, null"));
    assert_string_equal(text + size - 5, "]}]}\n");
    free(text);
}

TEST(clip_without_strides_has_headers_only)
{
    Gait none = {0};
    char *text = table(&none, GAIT_CURVES, "still");
    assert_string_equal(text, "clip\tcoordinate\tquantity\tunit\tstrides\tpercent\tmean\tsd\terror_sd\n");
    free(text);
    text = table(&none, GAIT_STEPS, "still");
    assert_string_equal(text, "clip\tfoot\ttime_s\tduration_s\tlength_m\twidth_m\n");
    free(text);
}
