/* analysis/stats/clip_settings: the settings in a history. */
#include <math.h>
#include <string.h>

#include "analysis/base/version.h"
#include "analysis/stats/clip_settings.h"
#include "tests/support/test.h"

TEST(history_gives_settings)
{
    static const char history[] = "import --unit cm # cm (99 %)\n"
                                  "trim --from 1\n"
                                  "body --model deleva --mass 70 --sex mean\n"
                                  "smooth --method butterworth --cutoff 8.25\n"
                                  "diff --scheme central\n"
                                  "contact --method estimate --friction 0.8\n"
                                  "torque --springs-only # words --cutoff 3";
    ClipSettings s;
    (void)state;
    assert_int_equal(clip_settings_find(history, "0.1.0", &s, NULL), STATUS_OK);
    assert_string_equal(s.kane_version, "0.1.0");
    assert_string_equal(s.word[SETTING_BODY_MODEL], "deleva");
    assert_string_equal(s.word[SETTING_SMOOTH_METHOD], "butterworth");
    assert_string_equal(s.word[SETTING_KINEMATICS_SCHEME], "central");
    assert_string_equal(s.word[SETTING_CONTACT_METHOD], "estimate");
    assert_true(s.smooth_cutoff_hz == 8.25);
    assert_string_equal(s.text, "body --model deleva; smooth --method butterworth --cutoff 8.25; kinematics --scheme "
                                "central; contact --method estimate --friction 0.8; torque --springs-only");
}

/* What the clip determines is the same setting in all clips: an automatic cutoff, the body of a creature. */
TEST(values_of_the_source_are_no_settings)
{
    ClipSettings a, b;
    (void)state;
    assert_int_equal(clip_settings_find("body --model capsules --mass 31\n"
                                        "smooth --method butterworth --cutoff 5.3 --noise 0.001 # automatic: 1 N m/kg",
                                        "", &a, NULL), STATUS_OK);
    assert_int_equal(clip_settings_find("body --model capsules --mass 4\n"
                                        "smooth --method butterworth --cutoff 12 --noise 0.01 # automatic: 2 N m/kg",
                                        "", &b, NULL), STATUS_OK);
    assert_string_equal(a.text, b.text);
    assert_string_equal(a.text, "body; smooth --method butterworth --cutoff auto");
    assert_string_equal(a.word[SETTING_BODY_MODEL], "capsules");
    assert_string_equal(a.kane_version, KANE_VERSION);
    assert_true(a.smooth_cutoff_hz == 5.3 && b.smooth_cutoff_hz == 12);
}

/* The last retargeting decides; its digest, and an @ in the name, are no part of it. */
TEST(target_is_the_file_name_of_the_last_retargeting)
{
    ClipSettings s;
    (void)state;
    assert_int_equal(clip_settings_find("retarget --to kid.bvh@1a2b3c4d --plant keep\n"
                                        "retarget --to my hero@2.bvh@5e6f7a8b --map to.tsv@00000000\n"
                                        "body --model deleva", "", &s, NULL), STATUS_OK);
    assert_string_equal(s.target, "my hero@2.bvh");
    assert_string_equal(s.text, "body --model deleva");
    assert_int_equal(clip_settings_find("body --model deleva", "", &s, NULL), STATUS_OK);
    assert_string_equal(s.target, "");
}

TEST(clip_without_history_has_no_settings)
{
    ClipSettings s;
    (void)state;
    assert_int_equal(clip_settings_find(NULL, "", &s, NULL), STATUS_OK);
    assert_true(isnan(s.smooth_cutoff_hz));
    assert_string_equal(s.text, "");
}

TEST(numbers_of_the_last_filter_are_read)
{
    static const char history[] = "smooth --method butterworth --cutoff 8 --noise 3e2\n"
                                  "contact --method estimate --friction 0.8\n"
                                  "smooth --method butterworth --cutoff 6.5 --noise 1.25e-6 # automatic --noise 9";
    (void)state;
    assert_near(history_filter_number(history, "cutoff"), 6.5, 0);
    assert_near(history_filter_number(history, "noise"), 1.25e-6, 1e-18);
    assert_near(history_filter_number("smooth --method none --noise 3e2", "noise"), 300, 1e-9);
    assert_true(isnan(history_filter_number("smooth --method none --noise 3e2", "cutoff")));
    assert_true(isnan(history_filter_number(NULL, "noise")));
}
