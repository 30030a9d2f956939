/* formats/container/container_check: a physically possible clip passes, an impossible one is rejected with the name
 * of the array. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/container/container.h"
#include "formats/container/container_check.h"
#include "tests/support/sample_clip.h"
#include "tests/support/altered_image.h"

static Clip sample(void)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 4, 2), 0);
    return clip;
}

static void expect_refusal(Clip *clip, const char *expected)
{
    Error err;
    assert_int_equal(container_check(clip, NULL, &err), STATUS_BAD_INPUT);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" does not say \"%s\"", err.text, expected);
    clip_free(clip);
}

TEST(files_written_by_kane_pass)
{
    Clip clip = sample();
    assert_int_equal(container_check(&clip, NULL, NULL), STATUS_OK);
    clip_free(&clip);
    clip = (Clip){0};
    assert_int_equal(skeleton_init(&clip.skeleton, 1, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, 1, 1, 0.01, 0, NULL), STATUS_OK);
    clip.skeleton.parent[0] = -1;
    clip.motion.rotation[0] = QUAT_IDENTITY;
    assert_int_equal(container_check(&clip, NULL, NULL), STATUS_OK);
    clip_free(&clip);
}

/* A float32 archive rounds by 6e-8 and stays readable. */
TEST(archive_rotations_are_unit_within_tolerance)
{
    Clip clip = sample(), back;
    ContainerDef def = container_default_def();
    ContainerImage image;
    def.float32 = 1;
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

TEST(impossible_clips_are_reported)
{
    Clip clip = sample();
    assert_int_equal(skeleton_add_channels(&clip.skeleton, NULL), STATUS_OK);
    clip.skeleton.channels[2] = 127;
    expect_refusal(&clip, "/skeleton/channels: joint 2 has 127");
    clip = sample();
    clip.skeleton.name[1][2] = '\n'; /* would be a line of a BVH file */
    expect_refusal(&clip, "/joint: name of joint 1: control character 0x0a");
    clip = sample();
    clip.body.mass[3] = -5;
    expect_refusal(&clip, "/body/mass: joint 3 has -5 kg");
    clip = sample();
    clip.body.inertia[2].yy = -1;
    expect_refusal(&clip, "/body/inertia: joint 2");
    clip = sample();
    clip.motion.rotation[4 * 4 + 3] = (Quat){0, 0, 0, 0};
    expect_refusal(&clip, "/motion/rotation: joint 3 at frame 4");
    clip = sample();
    clip.kinematics.orientation[1] = (Quat){2, 0, 0, 0};
    expect_refusal(&clip, "/kinematics/orientation: joint 1 at frame 0");
    clip = sample();
    clip.provenance.frame_time = -1;
    expect_refusal(&clip, "frame_time is negative");
    clip = sample();
    strcpy(clip.provenance.up_axis, "W");
    expect_refusal(&clip, "up_axis");
    clip = sample();
    clip.provenance.confidence.root_offset = 1.5;
    expect_refusal(&clip, "confidence is not a probability");
    clip = sample();
    for (int f = 0; f < 5; f++)
        clip.motion.time[f] *= 2;
    expect_refusal(&clip, "/time at frame 1 does not agree");
    clip = sample();
    clip.motion.time[3] = clip.motion.time[2];
    expect_refusal(&clip, "/time does not increase at frame 3");
    clip = sample();
    clip.skeleton.parent[2] = 3;
    expect_refusal(&clip, "/skeleton/parent: joint 2");
    clip = sample();
    clip.skeleton.parent[0] = 0;
    expect_refusal(&clip, "/skeleton/parent: joint 0 has parent 0");
    clip = sample();
    clip.skeleton.end_parent[1] = 4;
    expect_refusal(&clip, "/skeleton/end_parent: end site 1 has joint 4");
    clip = sample();
    clip.contact.point_joint[1] = -1;
    expect_refusal(&clip, "/contact/point_joint: point 1 has joint -1");
    clip = sample();
    clip.motion.frame_time = 0;
    expect_refusal(&clip, "frame_time of motion is not positive");
    clip = sample();
    clip.provenance.meters_per_unit = -0.01;
    expect_refusal(&clip, "meters_per_unit is negative");
    clip = sample();
    clip.body.stature = -1.8;
    expect_refusal(&clip, "/body: total mass 70.25 kg and stature -1.8 m");
}

TEST(impossible_coordinates_are_reported)
{
    Clip clip = sample();
    clip.angles.coordinate_count = 5;
    expect_refusal(&clip, "/coordinate: 5 are not three a joint");
    clip = sample();
    clip.angles.coordinate[4] = clip.angles.coordinate[3];
    expect_refusal(&clip, "/coordinate: place 4 has left_knee_flexion");
    clip = sample();
    clip.angles.coordinate[3] = clip.angles.coordinate[0]; /* of the right kind, but twice */
    expect_refusal(&clip, "/coordinate: place 3 has spine_flexion");
    clip = sample();
    clip.angles.joint[5] = 4;
    expect_refusal(&clip, "/angles/joint_index: left_knee_rotation has joint 4");
}

TEST(lumped_joint_out_of_range_is_reported)
{
    Clip clip = sample();
    assert_int_equal(tracking_init(&clip.tracking, 2, 4, NULL), STATUS_OK);
    clip.has_tracking = 1;
    clip.tracking.carrier[3] = 9;
    expect_refusal(&clip, "/tracking/carrier: joint 3 moves with joint 9");
}

/* container_inspect lists all errors, the readers stop at the first. */
TEST(all_findings_are_listed)
{
    Clip clip = sample(), sound = sample();
    ContainerFindings findings;
    Error err;
    Clip back;
    clip.kinematics.velocity[3 * clip.skeleton.joint_count + 1].y = NAN;
    clip.skeleton.parent[2] = 7;
    clip.motion.rotation[1].w += 1;
    clip.body.mass[0] = -1;
    ContainerImage image = altered_image(&sound, &clip);
    assert_int_equal(container_inspect(&image, &findings, NULL, 0, NULL), STATUS_OK);
    assert_int_equal(findings.count, 4);
    assert_string_equal(findings.found[0].text,
                        "/kinematics/velocity: value not finite at frame 3, joint \"J \xc3\xa9 b.a\"");
    assert_string_equal(findings.found[1].text, "/skeleton/parent: joint 2 has parent 7");
    assert_non_null(strstr(findings.found[2].text, "/motion/rotation: joint 1 at frame 0"));
    assert_non_null(strstr(findings.found[3].text, "/body/mass: joint 0"));
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, findings.found[0].text);
    image.size /= 2;
    assert_int_equal(container_inspect(&image, &findings, NULL, 0, NULL), STATUS_OK);
    assert_int_equal(findings.count, 1);
    container_image_free(&image);
    clip_free(&sound);
    clip_free(&clip);
}

/* The encoder refuses clips that the decoder would refuse, with stage, joint and frame. */
TEST(unreadable_clip_is_not_written)
{
    ContainerDef def = container_default_def();
    ContainerImage image;
    Error err;
    for (int i = 0; i < 3; i++) {
        Clip clip = sample();
        Quat *turn = &clip.motion.rotation[2 * clip.skeleton.joint_count + 1];
        static const char *const words[] = {"/motion/rotation: value not finite at frame 2, joint",
                                            "/motion/rotation: joint 1 at frame 2",
                                            "attribute ground_height of contact"};
        turn->x = i == 0 ? NAN : i == 1 ? turn->x + 0.1 : turn->x;
        clip.contact.ground_height = i == 2 ? INFINITY : 0;
        assert_int_equal(container_encode(&clip, &def, &image, &err), STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, words[i]));
        assert_non_null(strstr(err.text, "not written, the last stage was kane body"));
        assert_null(image.bytes);
        clip_free(&clip);
    }
}
