/* formats/export/info: the keys that scripts query, as valid JSON, and null for missing content. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/export/info.h"
#include "tests/support/sample_clip.h"

static char *printed(const Clip *clip, Status (*print)(const Clip *, FrameChoice, FILE *, Error *))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(print(clip, FRAMES_TRUSTED, stream, NULL), STATUS_OK);
    fclose(stream);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        print_error("no %s in %s\n", part, text);
    assert_non_null(strstr(text, part));
}

TEST(json_contains_import_decisions)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    clip.contact.ground_height = 0.25;
    clip.contact.ground_normal = vec3_normalize(vec3(1, 1, 0));
    char *text = printed(&clip, info_json);
    assert_has(text, "\"fps\": 120,");
    assert_has(text, "\"meters_per_unit\": 0.01,");
    assert_has(text, "\"up_axis\": \"-Z\",");
    assert_has(text, "\"frames\": 9,");
    assert_has(text, "\"joints\": 4,");
    assert_has(text, "\"roles\": {\"hips\": \"J \xc3\xa9 a.a\", \"spine\": ");
    assert_has(text, "\"history\": [\n    \"import --unit cm\",\n    \"body --mass 70\"\n  ]\n}");
    assert_has(text, "\"groups\": [\"skeleton\", \"motion\", \"body\", \"kinematics\", \"contact\", \"dynamics\", "
                     "\"angles\"]");
    assert_has(text, "\"total_mass\": 70.25,");
    assert_has(text, "\"coordinates\": [\"spine_flexion\", \"spine_bending\",");
    assert_has(text, "\"neutral_pose\": \"built from frame 3\",");
    assert_has(text, "\"ground_height\": 0.25,");
    assert_has(text, "\"ground_tilt_degrees\": 45,");
    assert_has(text, "\"contact_confidence\": ");
    free(text);
    clip_free(&clip);
}

TEST(evidence_is_shown_with_its_observations)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    char *json = printed(&clip, info_json), *text = printed(&clip, info_text);
    assert_has(json, "\"evidence\": {\n    \"up\": {\"value\": \"Y\", \"confidence\": 0.93, \"for\": "
                     "[{\"log_odds\": 4.2, \"text\": \"the ground is at zero, against Z\"}], \"against\": []}},");
    assert_has(text, "evidence    up      Y (93 %)\n              +4.2  the ground is at zero, against Z\n");
    free(json);
    free(text);
    clip_free(&clip);
}

/* Uncertain detections are marked, with the size beside them. */
TEST(uncertain_decisions_are_marked)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    clip.provenance.confidence = (Decisions){0.5, 0.7, 1, 1, 1, 0.9};
    char *text = printed(&clip, info_json);
    assert_has(text, "\"unsure\": \"unit, up axis\",");
    assert_has(text, "\"unit_confidence\": 0.5,");
    assert_has(text, "\"first_frame_confidence\": 0.9,");
    assert_has(text, "\"size_stature\": ");
    assert_has(text, "\"size_extent\": ");
    free(text);
    text = printed(&clip, info_text);
    assert_has(text, "; uncertain: unit, up axis\n");
    assert_has(text, "\nsize        ");
    free(text);
    clip_free(&clip);
}

/* 23.976 is printed unchanged, and 30 not as 29.999999999999996. */
TEST(frame_rates_print_as_plain_numbers)
{
    const double fps[] = {30, 23.976, 59.94, 49, 119.875};
    const char *const expected[] = {"\"fps\": 30,", "\"fps\": 23.976,", "\"fps\": 59.94,", "\"fps\": 49,",
                                    "\"fps\": 119.875,"};
    for (int i = 0; i < 5; i++) {
        Clip clip;
        assert_int_equal(sample_clip(&clip, 2, 1, 0), 0);
        clip.provenance.frame_time = 1 / fps[i];
        char *text = printed(&clip, info_json);
        assert_has(text, expected[i]);
        free(text);
        clip_free(&clip);
    }
}

TEST(missing_values_are_null)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    clip_drop(&clip, CLIP_BODY);
    clip.provenance.source_sha256[0] = '\0';
    char *text = printed(&clip, info_json);
    assert_has(text, "\"source_sha256\": null,");
    assert_has(text, "\"total_mass\": null,");
    assert_has(text, "\"residual_force_rms_bw\": null,");
    assert_has(text, "\"groups\": [\"skeleton\", \"motion\"]");
    assert_null(strstr(text, "nan"));
    free(text);
    clip_free(&clip);
}

TEST(names_are_escaped)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 2, 1, 0), 0);
    assert_int_equal(skeleton_set_name(&clip.skeleton, 0, "a\"b\\c\x01", NULL), STATUS_OK);
    char *text = printed(&clip, info_json);
    assert_has(text, "[\"a\\\"b\\\\c\\u0001\"]");
    free(text);
    clip_free(&clip);
}

TEST(text_lists_every_group)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    char *text = printed(&clip, info_text);
    assert_has(text, "9 frames at 120 fps");
    assert_has(text, "  hips             J \xc3\xa9 a.a");
    assert_has(text, "contact     2 points");
    assert_has(text, "history     import --unit cm\n            body --mass 70\n");
    free(text);
    clip_free(&clip);
}

TEST(clip_without_trust_is_not_checked)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    trust_free(&clip.trust);
    clip.has_trust = 0;
    char *text = printed(&clip, info_text), *json = printed(&clip, info_json);
    assert_has(text, "trusted     not checked\n");
    assert_has(json, "\"trusted_fraction\": null");
    free(text);
    free(json);
    clip_free(&clip);
}

/* One line per metric of a retargeted clip; missing metrics have none. */
TEST(retarget_scores_are_printed)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    clip.has_retarget = 1;
    clip.retarget = retarget_score_unknown();
    clip.retarget.scale = 1.25;
    clip.retarget.contact_kept = 0.975;
    clip.retarget.slide_increase_cm_s = -0.001;
    clip.retarget.worst_frame[WORST_slide_increase_cm_s] = 4;
    clip.retarget.residual_before_bw = 0.125;
    char *text = printed(&clip, info_text), *json = printed(&clip, info_json);
    assert_has(text, "\nretarget    scale 1.250, contact kept 0.975, residual before 0.12 body weights\n"
                     "            foot slide increase    0.00 cm/s, maximum in frame 4\n");
    assert_null(strstr(text, "soles deeper"));
    assert_has(json, "\"retarget_scale\": 1.25,");
    assert_has(json, "\"retarget_slide_increase_cm_s\": -0.001,");
    assert_has(json, "\"retarget_penetration_increase_cm\": null,");
    free(text);
    free(json);
    clip_free(&clip);
}

TEST(each_controller_has_a_line)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    assert_int_equal(tracking_init(&clip.tracking, 3, 4, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&clip.tracking, CONTROLLER_PD, 0, NULL), STATUS_OK);
    clip.has_tracking = 1;
    TrackingRun *run = &clip.tracking.run[CONTROLLER_PD];
    run->mean_error = PI / 90;
    run->mean_distance = 0.015;
    run->torque_sum_mean = 12.5;
    run->stable_time = 0.75;
    char *text = printed(&clip, info_text);
    assert_has(text, "\ntracking    pd: 2.00 degrees, 1.50 cm, 12.5 N m, stable for 0.75 s\n");
    assert_null(strstr(text, "tracking    kane"));
    free(text);
    strcpy(run->outcome, "falls");
    run->lost_time = 0.5;
    run->rest_time = 1.75;
    text = printed(&clip, info_text);
    assert_has(text, "stable for 0.75 s, falls at 0.50 s, at rest at 1.75 s\n");
    free(text);
    run->rest_time = NAN;
    text = printed(&clip, info_text);
    assert_has(text, "stable for 0.75 s, falls at 0.50 s\n");
    free(text);
    clip_free(&clip);
}

/* Clips with /trust list their flags; empty groups are reported as such. */
TEST(group_contents_are_printed)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 9, 4, 0), 0);
    assert_int_equal(trust_init(&clip.trust, 9, 4, 0, NULL), STATUS_OK);
    for (int f = 0; f < 9; f++)
        clip.trust.reason[f] = f < 6 ? TRUST_TELEPORT : 0;
    trust_settle(&clip.trust);
    clip.has_trust = 1;
    clip.angles.coordinate_count = 0;
    char *text = printed(&clip, info_text);
    assert_has(text, "\ntrusted     33.3 % of the frames, main flag: teleport\n");
    assert_has(text, "\ncontact     none\n");
    free(text);
    clip.trust.reason[0] = clip.trust.reason[1] = clip.trust.reason[2] = TRUST_OFF_PLATES;
    trust_settle(&clip.trust);
    text = printed(&clip, info_text);
    assert_has(text, "\ntrusted     50.0 % of the 6 frames with force plates (of 9), main flag: teleport\n");
    assert_has(text, "\nangles      no joint with anatomical axes\n");
    free(text);
    clip_free(&clip);
    assert_int_equal(sample_clip(&clip, 9, 4, 2), 0);
    clip.contact.linear_reduction = 0.5;
    clip.contact.angular_reduction = 0.25;
    memset(clip.kinematics.valid, 0, 9);
    text = printed(&clip, info_text);
    assert_has(text, "\nreduced     accelerations by 0.50 m/s2 and 0.25 rad/s2 (RMS)\n");
    assert_has(text, "\ndynamics    no valid frame\n");
    assert_has(text, "confidence unknown, flight unknown");
    free(text);
    clip_free(&clip);
}

TEST(full_disk_is_an_error)
{
    Clip clip;
    Error err;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(sample_clip(&clip, 2, 1, 0), 0);
    assert_int_equal(info_json(&clip, FRAMES_TRUSTED, full, &err), STATUS_IO);
    fclose(full);
    clip_free(&clip);
}
