/* The bytes that the helper program returns: a scene comes back as it was, and no damaged bytes are accepted. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/scene_file/scene_stream.h"
#include "tests/support/random_number.h"

static Scene make_scene(void)
{
    Scene s;
    assert_int_equal(scene_init(&s, 3, 1, NULL), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        s.node[i].name = strdup(i == 1 ? "" : "Hips");
        s.node[i].parent = i - 1;
        s.node[i].kind = (SceneNodeKind)i;
        s.node[i].inherit = (SceneInherit)i;
        s.node[i].rest = scene_local(vec3(i, 2, 3), QUAT_IDENTITY, vec3(1, -1, 2));
    }
    s.name = strdup("Take 001");
    s.channel[0].node = 2;
    SceneKeys *keys = &s.channel[0].path[SCENE_ROTATION];
    assert_int_equal(scene_keys_init(keys, SCENE_ROTATION, 2, SCENE_CUBIC, NULL), STATUS_OK);
    keys->time[1] = 0.5;
    for (int i = 0; i < 24; i++)
        keys->value[i] = i;
    s.begin = 0;
    s.rate = 30;
    s.meters_per_unit = 0.01;
    s.up = UP_Z;
    return s;
}

static char *write_scene(const Scene *scene, size_t *size)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    assert_int_equal(scene_stream_write(scene, stream), 0);
    fclose(stream);
    return bytes;
}

TEST(scene_is_read_back_unchanged)
{
    Scene from = make_scene(), to;
    Error err = {0};
    size_t size;
    char *bytes = write_scene(&from, &size);
    (void)state;
    if (scene_stream_read(bytes, size, &to, &err))
        fail_msg("%s", err.text);
    assert_int_equal(to.node_count, 3);
    assert_string_equal(to.node[0].name, "Hips");
    assert_string_equal(to.name, "Take 001");
    assert_memory_equal(&to.node[2].rest, &from.node[2].rest, sizeof from.node[2].rest);
    assert_int_equal(to.node[2].inherit, SCENE_RRS);
    assert_int_equal(to.channel[0].path[SCENE_ROTATION].curve, SCENE_CUBIC);
    assert_memory_equal(to.channel[0].path[SCENE_ROTATION].value, from.channel[0].path[SCENE_ROTATION].value, 24 * 8);
    assert_int_equal(to.channel[0].path[SCENE_SCALE].count, 0);
    assert_true(isnan(to.end) && to.rate == 30 && to.meters_per_unit == 0.01 && to.up == UP_Z);
    scene_free(&from);
    scene_free(&to);
    free(bytes);
}

TEST(every_truncated_stream_is_refused)
{
    Scene from = make_scene(), to;
    size_t size;
    char *bytes = write_scene(&from, &size);
    (void)state;
    for (size_t cut = 0; cut < size; cut++) {
        char *part = malloc(cut + 1); /* of its own, so that a sanitizer sees reads beyond it */
        memcpy(part, bytes, cut);
        assert_int_equal(scene_stream_read(part, cut, &to, NULL), STATUS_BAD_INPUT);
        scene_free(&to);
        free(part);
    }
    scene_free(&from);
    free(bytes);
}

TEST(changed_bytes_are_refused_or_valid)
{
    Scene from = make_scene(), to;
    unsigned seed = 5;
    size_t size;
    int refused = 0;
    char *bytes = write_scene(&from, &size);
    (void)state;
    for (int i = 0; i < 20000; i++) {
        size_t at = (size_t)((random_number(&seed) + 1) / 2 * (double)size);
        char old = bytes[at];
        bytes[at] = (char)(127 * random_number(&seed));
        if (scene_stream_read(bytes, size, &to, NULL))
            refused++;
        else
            assert_int_equal(scene_check(&to, NULL), STATUS_OK);
        scene_free(&to);
        bytes[at] = old;
    }
    assert_true(refused > 1000);
    scene_free(&from);
    free(bytes);
}

TEST(error_keeps_its_status)
{
    char *bytes = NULL;
    size_t size;
    Scene to;
    Error err = {0};
    FILE *stream = open_memstream(&bytes, &size);
    (void)state;
    assert_int_equal(scene_stream_write_error(STATUS_LIMIT, "too much", stream), 0);
    fclose(stream);
    assert_int_equal(scene_stream_read(bytes, size, &to, &err), STATUS_LIMIT);
    assert_string_equal(err.text, "too much");
    free(bytes);
}
