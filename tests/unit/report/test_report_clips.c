/* formats/report: the data of a clip page equal the clip within quantization, for any names. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/report/page_clip.h"
#include "formats/report/report_clips.h"
#include "tests/support/report_data.h"
#include "tests/support/sample_clip.h"

static ReportData page_of(const ReportSide *side, int count)
{
    char *text = NULL;
    size_t size;
    Error err = {0};
    ReportPage page = report_small_page();
    FILE *stream = open_memstream(&text, &size);
    Status status = report_clips_write(&page, side, count, stream, &err);
    fclose(stream);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    ReportData data = report_data_read(text, size);
    free(text);
    return data;
}

static ReportData page_of_clip(const Clip *clip)
{
    ReportSide side = {.clip = clip};
    return page_of(&side, 1);
}

/* Reads series of a channel of the first clip, each of all samples. */
static double channel_value(const ReportData *data, const char *name, int series, int sample, int samples, double *step)
{
    char wanted[64];
    size_t place = 0;
    double min = 0, value[512];
    snprintf(wanted, sizeof wanted, "{\"name\":\"%s\"", name);
    const char *channel = strstr(data->json, "\"channels\":["), *stop = strstr(data->json, wanted);
    assert_true(channel && stop && samples <= 512);
    for (const char *at = strstr(channel, "\"series\":[[");; at = strstr(at, "\"series\":[[")) { /* preceding series */
        int is_wanted = at > stop;
        for (at += 10; *at == '[' || *at == ','; place += (size_t)samples) {
            char *end;
            at += *at == ',' ? 2 : 1;
            min = strtod(at, &end);
            *step = strtod(end + 1, &end);
            at = end + 1;
            if (is_wanted && series-- == 0) {
                const unsigned char *low = data->series + place, *high = low + data->series_count;
                report_series_read(low, high, (size_t)samples, min, *step, value);
                return value[sample];
            }
        }
    }
}

TEST(page_contains_the_clip)
{
    enum { FRAMES = 40, JOINTS = 5 };
    Clip clip;
    double step;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 3), 0);
    ReportData data = page_of_clip(&clip);
    for (int f = 0; f < FRAMES; f += 13)
        for (int j = 1; j < JOINTS; j++) {
            size_t at = (size_t)(f * JOINTS + j);
            const Quat *q = clip.kinematics.orientation + at;
            Quat turn = quat_mul(quat_conjugate(q[-1]), q[0]), read;
            double *part = &read.w;
            for (int i = 0; i < 4; i++)
                part[i] = channel_value(&data, "turn", 4 * j + i, f, FRAMES, &step);
            assert_near(step, 1.0 / 16384, 1e-12);
            if (read.w == 0) /* computed by the page */
                read.w = sqrt(1 - read.x * read.x - read.y * read.y - read.z * read.z);
            assert_near(fabs(quat_dot(quat_normalize(read), turn)), 1, 1e-7);
            double torque = channel_value(&data, "torque", j, f, FRAMES, &step);
            assert_near(torque, vec3_norm(clip.dynamics.torque[at]) / clip.body.total_mass, 0.51 * step);
            double power = channel_value(&data, "power", j, f, FRAMES, &step);
            assert_near(power, clip.dynamics.power[at], 0.51 * step);
            Vec3 omega = vec3_sub(clip.kinematics.angular_velocity[at], clip.kinematics.angular_velocity[at - 1]);
            double speed = channel_value(&data, "speed", j, f, FRAMES, &step);
            assert_near(speed, vec3_norm(omega), 0.51 * step);
        }
    double residual = channel_value(&data, "residual_force", 0, 7, FRAMES, &step);
    assert_near(residual, vec3_norm(clip.dynamics.residual_force[7]) / (70.25 * 9.80665), 0.51 * step);
    report_data_free(&data);
    clip_free(&clip);
}

/* Each coordinate has angle, moment with its standard deviation, power and utilization, in the order of the head's
 * names. */
TEST(page_contains_anatomical_coordinates)
{
    enum { FRAMES = 12 };
    static const char *const name[] = {"angle", "moment", "moment_sd", "coordinate_power", "coordinate_utilization"};
    Clip clip;
    double step;
    assert_int_equal(sample_clip(&clip, FRAMES, 5, 3), 0);
    const JointAngles *a = &clip.angles;
    const double *value[] = {a->angle, a->moment, a->moment_sd, a->power, a->utilization}, mass = clip.body.total_mass;
    for (int i = 0; i < FRAMES * a->coordinate_count; i++)
        a->utilization[i] = fabs(a->utilization[i]);
    ReportData data = page_of_clip(&clip);
    assert_non_null(strstr(data.json, "\"coordinates\":[{\"joint\":0,\"name\":\"spine_flexion\"},"));
    assert_non_null(strstr(data.json, ",{\"joint\":1,\"name\":\"left_knee_rotation\"}],"));
    for (int k = 0; k < 5; k++)
        for (int c = 0; c < a->coordinate_count; c++) {
            double wanted = value[k][joint_angles_index(a, 7, c)] / (k == 1 || k == 2 ? mass : 1);
            double value_there = channel_value(&data, name[k], c, 7, FRAMES, &step);
            assert_near(value_there, wanted, 0.51 * step);
        }
    assert_near(step, 1e-3, 1e-12);
    report_data_free(&data);
    clip.has_angles = 0;
    data = page_of_clip(&clip);
    assert_non_null(strstr(data.json, "\"coordinates\":[],"));
    assert_null(strstr(data.json, "\"moment\""));
    report_data_free(&data);
    clip.has_angles = 1;
    clip_free(&clip);
}

/* A bone of constant length is stored once; one of varying length has a channel. */
TEST(translating_bones_have_a_channel)
{
    enum { FRAMES = 9, JOINTS = 3 };
    Clip clip;
    double step = 0;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 0), 0);
    for (int f = 0; f < FRAMES; f++) {
        size_t row = (size_t)f * JOINTS;
        for (size_t j = 1; j < JOINTS; j++) {
            Vec3 offset = clip.skeleton.offset[j];
            offset.x += j == 2 ? 0.01 * f : 0;
            clip.kinematics.position[row + j] = vec3_add(clip.kinematics.position[row + j - 1],
                                                         quat_rotate(clip.kinematics.orientation[row + j - 1], offset));
        }
    }
    PageClip actor;
    assert_int_equal(page_clip_init(&clip, 1000, &actor, NULL), STATUS_OK);
    assert_int_equal(actor.is_shifting[1], 0);
    assert_int_equal(actor.is_shifting[2], 1);
    assert_vec3_near(actor.offset[1], clip.skeleton.offset[1], 1e-12);
    page_clip_free(&actor);
    ReportData data = page_of_clip(&clip);
    double x = channel_value(&data, "shift", 0, 8, FRAMES, &step);
    assert_near(x, clip.skeleton.offset[2].x + 0.08, 0.51 * step);
    assert_non_null(strstr(data.json, "\"end_offsets\":[["));
    report_data_free(&data);
    clip_free(&clip);
}

/* The skin follows the channels: as many series as the page's head states. */
TEST(page_contains_a_skin)
{
    Clip clip;
    int vertices, faces;
    assert_int_equal(sample_clip(&clip, 4, 5, 0), 0);
    ReportData data = page_of_clip(&clip);
    const char *skin = strstr(data.json, "\"skin\":{\"vertices\":");
    assert_non_null(skin);
    assert_int_equal(sscanf(skin, "\"skin\":{\"vertices\":%d,\"faces\":%d", &vertices, &faces), 2);
    assert_true(vertices > 100 && faces > 200);
    size_t own = 6 * (size_t)vertices + 3 * (size_t)faces;
    assert_true(own < data.series_count);
    double corner[3], min = 0;
    for (int i = 0; i < 3; i++) { /* the first face */
        const unsigned char *low = data.series + data.series_count - (size_t)(3 - i) * (size_t)faces;
        report_series_read(low, low + data.series_count, 1, min, 1, &corner[i]);
        assert_true(corner[i] >= 0 && corner[i] < vertices);
    }
    assert_true(corner[0] != corner[1] && corner[1] != corner[2]);
    report_data_free(&data);
    clip_free(&clip);
}

/* Decimation keeps the largest load: a single-frame peak is in the page. */
TEST(thinning_keeps_peaks)
{
    Clip clip;
    PageClip actor;
    assert_int_equal(sample_clip(&clip, 100, 4, 0), 0);
    assert_int_equal(page_clip_init(&clip, 6 * 26, &actor, NULL), STATUS_OK); /* 4 joints and 2 ends */
    assert_int_equal(actor.stride, 4);
    assert_int_equal(actor.sample_count, 25);
    page_clip_free(&actor);
    assert_int_equal(page_clip_init(&clip, 1, &actor, NULL), STATUS_OK);
    assert_int_equal(actor.sample_count, 1);
    page_clip_free(&actor);
    page_clip_free(&actor);
    clip_free(&clip);

    enum { FRAMES = 400001 }; /* with 3 joints and 2 end sites, twice as many values as a page shows */
    assert_int_equal(sample_clip(&clip, FRAMES, 3, 0), 0);
    for (size_t i = 0; i < (size_t)FRAMES * 3; i++)
        clip.dynamics.torque[i] = vec3(1, 0, 0);
    clip.dynamics.torque[(size_t)199999 * 3 + 2] = vec3(0, -702.5, 0);
    ReportData data = page_of_clip(&clip);
    assert_non_null(strstr(data.json, "\"stride\":2,"));
    assert_non_null(strstr(data.json, "\"samples\":200001,"));
    const char *torque = strstr(data.json, "\"torque\"");
    assert_non_null(torque);
    char *end;
    const char *third = strstr(torque, "[[");
    for (int i = 0; i < 2; i++)
        third = strchr(third + 1, ']') + 1;
    double min = strtod(third + 2, &end), step = strtod(end + 1, NULL);
    assert_near(min + 65534 * step, 10, 1e-9);   /* 702.5 N m on 70.25 kg */
    report_data_free(&data);
    clip_free(&clip);
}

TEST(markup_in_names_is_escaped)
{
    static const char name[] = "</script><script>alert(1)</script> \"\\ \x01 \xff";
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0);
    assert_int_equal(skeleton_set_name(&clip.skeleton, 1, name, NULL), STATUS_OK);
    assert_int_equal(clip_add_history(&clip, "</script>" REPORT_PAGE_MARK, NULL), STATUS_OK);
    ReportData data = page_of_clip(&clip); /* fails at a character outside base64 */
    assert_non_null(strstr(data.json, "\"name\":\"</script><script>alert(1)</script> \\\"\\\\ \\u0001 \\ufffd\""));
    report_data_free(&data);
    clip_free(&clip);
}

/* Intervals of contact and of untrusted frames, half a frame wider than their frames. */
TEST(intervals_equal_the_clips)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 10, 3, 1), 0);
    for (int f = 0; f < 10; f++)
        clip.contact.state[f] = f >= 4 && f < 8;
    clip.motion.frame_time = 0.5;
    ReportData data = page_of_clip(&clip);
    assert_non_null(strstr(data.json, "\"down\":[[1.75,3.75]]"));
    assert_non_null(strstr(data.json, "[\"flight\",-1,0.008333333333333333,0.025,1.5]"));
    assert_non_null(strstr(data.json, "\"untrusted\":[[-0.25,0.25,\"edge\"],[4.25,4.75,\"edge\"]]"));
    report_data_free(&data);
    clip_free(&clip);
}

TEST(motion_without_dynamics_has_no_loads)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0);
    clip_drop(&clip, CLIP_BODY);
    ReportData data = page_of_clip(&clip);
    assert_non_null(strstr(data.json, "\"turn\""));
    assert_null(strstr(data.json, "\"torque\""));
    assert_null(strstr(data.json, "\"com\""));
    assert_non_null(strstr(data.json, "\"mass\":null"));
    report_data_free(&data);
    clip_free(&clip);
}

TEST(controller_has_its_torques)
{
    enum { FRAMES = 6, JOINTS = 3 };
    Clip clip;
    double step;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 0), 0);
    assert_int_equal(tracking_init(&clip.tracking, FRAMES, JOINTS, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&clip.tracking, CONTROLLER_KANE, 0, NULL), STATUS_OK);
    clip.has_tracking = 1;
    TrackingRun *run = &clip.tracking.run[CONTROLLER_KANE];
    for (int f = 0; f < FRAMES; f++) {
        clip.tracking.time[f] = f * clip.motion.frame_time;
        for (int j = 0; j < JOINTS; j++)
            run->orientation[f * JOINTS + j] = QUAT_IDENTITY;
        run->torque[f * JOINTS + 1] = vec3(0, 0, 70.25 * f);
    }
    ReportSide side[2] = {{.clip = &clip, .is_controller = 1, .controller = CONTROLLER_KANE}, {.clip = &clip}};
    ReportData data = page_of(side, 2);
    assert_non_null(strstr(data.json, "\"controller\":\"kane\""));
    assert_near(channel_value(&data, "torque", 1, 4, FRAMES, &step), 4, 1e-3);
    /* no rotation: joint 1 is at its translation from the root */
    double y = channel_value(&data, "shift", 1, 3, FRAMES, &step);
    assert_near(y, clip.motion.translation[3 * JOINTS + 1].y, 0.51 * step);
    report_data_free(&data);

    PageClip actor;
    Error err = {0};
    assert_int_equal(page_clip_init_controller(&clip, CONTROLLER_PD, 1000, &actor, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "controller pd"));
    clip_free(&clip);
}

TEST(page_without_its_mark_is_refused)
{
    ReportPage page;
    Error err = {0};
    assert_int_equal(report_page_find("Makefile", &page, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "Makefile"));
    assert_int_equal(report_page_find("no/such/page.html", &page, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "no/such/page.html"));
    report_page_free(&page);
}
