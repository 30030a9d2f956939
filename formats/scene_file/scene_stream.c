/* See scene_stream.h. */
#include "formats/scene_file/scene_stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char scene_mark[8] = "kscene1", error_mark[8] = "kerror1";
enum { NAME_MAX_SIZE = 4096, NO_NAME = -1 };

/* ---- Writing ---- */

static void put(FILE *stream, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, stream);
}

static void put_integer(FILE *stream, int value)
{
    int32_t number = value;
    put(stream, &number, sizeof number);
}

static void put_name(FILE *stream, const char *name)
{
    size_t length = name ? strnlen(name, NAME_MAX_SIZE) : 0;
    put_integer(stream, name ? (int)length : NO_NAME);
    put(stream, name ? name : "", length);
}

static void put_keys(FILE *stream, const SceneKeys *keys, ScenePath path)
{
    size_t count = (size_t)keys->count, width = (size_t)scene_path_width(path) * (keys->curve == SCENE_CUBIC ? 3 : 1);
    put_integer(stream, keys->count);
    put_integer(stream, keys->curve);
    if (count == 0)
        return;
    put(stream, keys->time, count * sizeof *keys->time);
    put(stream, keys->value, count * width * sizeof *keys->value);
}

int scene_stream_write(const Scene *scene, FILE *stream)
{
    const double numbers[] = {scene->begin, scene->end, scene->rate, scene->meters_per_unit};
    put(stream, scene_mark, sizeof scene_mark);
    put_integer(stream, scene->node_count);
    put_integer(stream, scene->channel_count);
    put_integer(stream, (int)scene->up);
    put(stream, numbers, sizeof numbers);
    put_name(stream, scene->name);
    for (int i = 0; i < scene->node_count; i++) {
        const SceneNode *node = &scene->node[i];
        put_name(stream, node->name);
        put_integer(stream, node->parent);
        put_integer(stream, node->kind);
        put_integer(stream, node->inherit);
        put(stream, &node->rest, sizeof node->rest);
    }
    for (int c = 0; c < scene->channel_count; c++) {
        put_integer(stream, scene->channel[c].node);
        for (int p = 0; p < SCENE_PATHS; p++)
            put_keys(stream, &scene->channel[c].path[p], (ScenePath)p);
    }
    return fflush(stream) || ferror(stream) ? -1 : 0;
}

int scene_stream_write_error(Status status, const char *text, FILE *stream)
{
    put(stream, error_mark, sizeof error_mark);
    put_integer(stream, (int)status);
    put_name(stream, text);
    return fflush(stream) || ferror(stream) ? -1 : 0;
}

/* ---- Reading ---- */

typedef struct Bytes {
    const char *at;
    size_t left;
    int is_damaged;
} Bytes;

static void take(Bytes *b, void *to, size_t size)
{
    if (b->is_damaged || size > b->left) {
        b->is_damaged = 1;
        memset(to, 0, size);
        return;
    }
    memcpy(to, b->at, size);
    b->at += size;
    b->left -= size;
}

static int take_integer(Bytes *b, int min, int max)
{
    int32_t value;
    take(b, &value, sizeof value);
    if (value < min || value > max)
        b->is_damaged = 1;
    return b->is_damaged ? min : value;
}

static Status take_name(Bytes *b, char **name, Error *err)
{
    int length = take_integer(b, NO_NAME, NAME_MAX_SIZE);
    *name = NULL;
    if (length == NO_NAME || (size_t)length > b->left)
        return STATUS_OK;
    if (!(*name = malloc((size_t)length + 1)))
        return error_no_memory(err);
    take(b, *name, (size_t)length);
    (*name)[length] = 0;
    return STATUS_OK;
}

static Status take_node(Bytes *b, SceneNode *node, Error *err)
{
    Status status = take_name(b, &node->name, err);
    node->parent = take_integer(b, -1, SCENE_MAX_NODES);
    node->kind = (SceneNodeKind)take_integer(b, 0, SCENE_KINDS - 1);
    node->inherit = (SceneInherit)take_integer(b, 0, SCENE_INHERITS - 1);
    take(b, &node->rest, sizeof node->rest);
    b->is_damaged |= !node->name;
    return status;
}

static Status take_keys(Bytes *b, ScenePath path, SceneKeys *keys, Error *err)
{
    int count = take_integer(b, 0, INT32_MAX), curve = take_integer(b, 0, SCENE_CURVES - 1);
    size_t width = (size_t)scene_path_width(path) * (curve == SCENE_CUBIC ? 3 : 1);
    size_t bytes = sizeof(double) * (1 + width);
    if (b->is_damaged || count == 0)
        return STATUS_OK;
    if ((size_t)count > b->left / bytes) {
        b->is_damaged = 1;
        return STATUS_OK;
    }
    Status status = scene_keys_init(keys, path, count, (SceneCurve)curve, err);
    if (status)
        return status;
    take(b, keys->time, (size_t)count * sizeof *keys->time);
    take(b, keys->value, (size_t)count * width * sizeof *keys->value);
    return STATUS_OK;
}

static Status damaged(Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "the helper program kane-scene returned damaged data");
}

static Status read_scene(Bytes *b, Scene *out, Error *err)
{
    double numbers[4];
    int nodes = take_integer(b, 0, SCENE_MAX_NODES), channels = take_integer(b, 0, SCENE_MAX_NODES);
    int up = take_integer(b, 0, UP_AXES);
    take(b, numbers, sizeof numbers);
    Status status = b->is_damaged ? damaged(err) : scene_init(out, nodes, channels, err);
    if (!status)
        status = take_name(b, &out->name, err);
    for (int i = 0; !status && !b->is_damaged && i < nodes; i++)
        status = take_node(b, &out->node[i], err);
    for (int c = 0; !status && !b->is_damaged && c < channels; c++) {
        out->channel[c].node = take_integer(b, 0, SCENE_MAX_NODES);
        for (int p = 0; !status && p < SCENE_PATHS; p++)
            status = take_keys(b, (ScenePath)p, &out->channel[c].path[p], err);
    }
    if (status)
        return status;
    if (b->is_damaged || b->left > 0)
        return damaged(err);
    out->begin = numbers[0];
    out->end = numbers[1];
    out->rate = numbers[2];
    out->meters_per_unit = numbers[3];
    out->up = (UpAxis)up;
    return scene_check(out, err);
}

static Status read_error(Bytes *b, Error *err)
{
    int status = take_integer(b, STATUS_BAD_INPUT, STATUS_COUNT - 1);
    char *text = NULL;
    Status memory = take_name(b, &text, err);
    if (!memory && text && !b->is_damaged)
        error_set(err, (Status)status, "%s", text);
    else if (!memory)
        status = damaged(err);
    free(text);
    return memory ? memory : (Status)status;
}

Status scene_stream_read(const char *bytes, size_t size, Scene *out, Error *err)
{
    Bytes b = {.at = bytes, .left = size};
    char mark[sizeof scene_mark];
    *out = (Scene){0};
    take(&b, mark, sizeof mark);
    if (memcmp(mark, error_mark, sizeof mark) == 0)
        return read_error(&b, err);
    return memcmp(mark, scene_mark, sizeof mark) == 0 ? read_scene(&b, out, err) : damaged(err);
}
