/* See assimp_scene.h. */
#include "scene_helper/assimp_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

enum { MAX_DEPTH = 4000 };

typedef struct Converter {
    const struct aiScene *from;
    const AssimpWish *wish;
    Scene *out;
    const struct aiNode **source; /* [node] */
    int is_fbx, first;            /* first: 1 if the root node is left out */
    Error *err;
} Converter;

/* ---- Metadata ---- */

static const struct aiMetadataEntry *find_entry(const struct aiMetadata *data, const char *key)
{
    for (unsigned i = 0; data && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, key) == 0)
            return &data->mValues[i];
    return NULL;
}

static double number_of(const struct aiMetadata *data, const char *key, double otherwise)
{
    const struct aiMetadataEntry *entry = find_entry(data, key);
    if (!entry || !entry->mData)
        return otherwise;
    switch (entry->mType) {
    case AI_BOOL: return *(const unsigned char *)entry->mData != 0;
    case AI_INT32: return *(const int *)entry->mData;
    case AI_FLOAT: return (double)*(const float *)entry->mData;
    case AI_DOUBLE: return *(const double *)entry->mData;
    default: return otherwise;
    }
}

/* FBX states the centimetres per unit and the up axis, 0 to 2 for X to Z; the Collada importer has turned and scaled
 * the scene to metres, +Y up. */
static void read_globals(Converter *c)
{
    static const UpAxis axes[2][3] = {{UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z}, {UP_X, UP_Y, UP_Z}};
    const struct aiMetadata *data = c->from->mMetaData;
    double unit = number_of(data, "UnitScaleFactor", 1), axis = number_of(data, "UpAxis", 1);
    int is_up = number_of(data, "UpAxisSign", 1) >= 0;
    c->out->meters_per_unit = !c->is_fbx ? 1 : isfinite(unit) && unit > 0 ? unit / 100 : 0;
    c->out->up = !c->is_fbx ? UP_Y : axis == 0 || axis == 1 || axis == 2 ? axes[is_up][(int)axis] : UP_AUTO;
}

/* ---- Nodes ---- */

static int count_nodes(const struct aiNode *node, int depth)
{
    int count = 1;
    if (depth > MAX_DEPTH)
        return SCENE_MAX_NODES + 1;
    for (unsigned i = 0; i < node->mNumChildren && count <= SCENE_MAX_NODES; i++)
        count += count_nodes(node->mChildren[i], depth + 1);
    return count;
}

static SceneLocal local_of(const struct aiMatrix4x4 *m)
{
    return scene_local_of_matrix((Mat3){{{m->a1, m->a2, m->a3}, {m->b1, m->b2, m->b3}, {m->c1, m->c2, m->c3}}},
                                 vec3(m->a4, m->b4, m->c4));
}

static int is_camera_or_light(const struct aiScene *scene, const struct aiString *name)
{
    for (unsigned i = 0; i < scene->mNumCameras; i++)
        if (strcmp(scene->mCameras[i]->mName.data, name->data) == 0)
            return 1;
    for (unsigned i = 0; i < scene->mNumLights; i++)
        if (strcmp(scene->mLights[i]->mName.data, name->data) == 0)
            return 1;
    return 0;
}

/* An FBX node without mesh that is no null object, camera or light is a bone. */
static SceneNodeKind kind_of(const Converter *c, const struct aiNode *node)
{
    if (node->mNumMeshes > 0)
        return SCENE_MESH;
    if (is_camera_or_light(c->from, &node->mName))
        return SCENE_OTHER;
    return c->is_fbx && number_of(node->mMetaData, "IsNull", 1) == 0 ? SCENE_BONE : SCENE_PLAIN;
}

/* An FBX node without the property has its default, 0. */
static SceneInherit inherit_of(const Converter *c, const struct aiNode *node)
{
    double type = c->is_fbx ? number_of(node->mMetaData, "InheritType", SCENE_RRSS) : SCENE_RSRS;
    return type == SCENE_RRSS ? SCENE_RRSS : type == SCENE_RRS ? SCENE_RRS : SCENE_RSRS;
}

static Status add_node(Converter *c, const struct aiNode *node, int parent, int *index)
{
    SceneNode *to = &c->out->node[*index];
    c->source[*index] = node;
    to->parent = parent;
    to->kind = kind_of(c, node);
    to->inherit = inherit_of(c, node);
    to->rest = local_of(&node->mTransformation);
    to->name = strndup(node->mName.data, sizeof node->mName.data);
    int own = (*index)++;
    Status status = to->name ? STATUS_OK : error_no_memory(c->err);
    for (unsigned i = 0; !status && i < node->mNumChildren; i++)
        status = add_node(c, node->mChildren[i], own, index);
    return status;
}

/* The root node of an FBX scene is the library's own; that of a Collada scene turns and scales it. */
static Status read_nodes(Converter *c)
{
    const struct aiNode *root = c->from->mRootNode;
    int index = 0;
    if (!c->is_fbx)
        return add_node(c, root, -1, &index);
    Status status = STATUS_OK;
    for (unsigned i = 0; !status && i < root->mNumChildren; i++)
        status = add_node(c, root->mChildren[i], -1, &index);
    return status;
}

/* ---- Channels ---- */

static int find_node(const Converter *c, const char *name)
{
    for (int i = 0; i < c->out->node_count; i++)
        if (strcmp(c->source[i]->mName.data, name) == 0)
            return i;
    return -1;
}

static Status read_vectors(SceneKeys *keys, ScenePath path, const struct aiVectorKey *from, unsigned count,
                           double ticks, Error *err)
{
    Status status = scene_keys_init(keys, path, (int)count, SCENE_LINEAR, err);
    for (unsigned k = 0; !status && k < count; k++) {
        keys->time[k] = from[k].mTime / ticks;
        keys->value[3 * k] = (double)from[k].mValue.x;
        keys->value[3 * k + 1] = (double)from[k].mValue.y;
        keys->value[3 * k + 2] = (double)from[k].mValue.z;
    }
    return status;
}

static Status read_rotations(SceneKeys *keys, const struct aiQuatKey *from, unsigned count, double ticks, Error *err)
{
    Status status = scene_keys_init(keys, SCENE_ROTATION, (int)count, SCENE_LINEAR, err);
    for (unsigned k = 0; !status && k < count; k++) {
        keys->time[k] = from[k].mTime / ticks;
        keys->value[4 * k] = (double)from[k].mValue.x;
        keys->value[4 * k + 1] = (double)from[k].mValue.y;
        keys->value[4 * k + 2] = (double)from[k].mValue.z;
        keys->value[4 * k + 3] = (double)from[k].mValue.w;
    }
    return status;
}

static Status read_channel(Converter *c, const struct aiNodeAnim *from, double ticks, SceneChannel *to)
{
    Status status = read_vectors(&to->path[SCENE_TRANSLATION], SCENE_TRANSLATION, from->mPositionKeys,
                                 from->mNumPositionKeys, ticks, c->err);
    if (!status)
        status = read_rotations(&to->path[SCENE_ROTATION], from->mRotationKeys, from->mNumRotationKeys, ticks, c->err);
    if (!status)
        status = read_vectors(&to->path[SCENE_SCALE], SCENE_SCALE, from->mScalingKeys, from->mNumScalingKeys, ticks,
                              c->err);
    return status;
}

static Status read_animation(Converter *c, const struct aiAnimation *animation, char *used)
{
    double ticks = animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : c->is_fbx ? 24 : 1;
    Status status = STATUS_OK;
    for (unsigned i = 0; !status && i < animation->mNumChannels; i++) {
        int node = find_node(c, animation->mChannels[i]->mNodeName.data);
        if (node < 0 || used[node])
            continue;
        used[node] = 1;
        c->out->channel[c->out->channel_count].node = node;
        status = read_channel(c, animation->mChannels[i], ticks, &c->out->channel[c->out->channel_count++]);
    }
    if (c->is_fbx) {
        c->out->rate = ticks;
        c->out->begin = 0;
        c->out->end = animation->mDuration / ticks;
    }
    return status;
}

/* The channels of the wished animation, or of all. */
static Status read_animations(Converter *c, Arena *arena)
{
    char *used = arena_array(arena, (size_t)c->out->node_count, 1, 1);
    int number = 0;
    Status status = used ? STATUS_OK : error_no_memory(c->err);
    for (unsigned i = 0; !status && i < c->from->mNumAnimations; i++) {
        const struct aiAnimation *animation = c->from->mAnimations[i];
        if (!c->wish->take)
            status = read_animation(c, animation, used);
        else if (strcmp(animation->mName.data, c->wish->take) == 0 && ++number == c->wish->number)
            return read_animation(c, animation, used);
    }
    return status;
}

static Status convert(Converter *c)
{
    Arena arena = {0};
    int count = count_nodes(c->from->mRootNode, 0) - c->is_fbx;
    if (count > SCENE_MAX_NODES)
        return error_set(c->err, STATUS_LIMIT, "more than %d nodes, or more than %d below each other", SCENE_MAX_NODES,
                         MAX_DEPTH);
    Status status = scene_init(c->out, count, count, c->err);
    if (status)
        return status;
    c->out->channel_count = 0;
    c->source = arena_array(&arena, (size_t)count, 1, sizeof *c->source);
    status = arena.failed ? error_no_memory(c->err) : read_nodes(c);
    if (!status)
        status = read_animations(c, &arena);
    if (!status && c->wish->take && !(c->out->name = strdup(c->wish->take)))
        status = error_no_memory(c->err);
    read_globals(c);
    arena_free(&arena);
    return status;
}

Status assimp_scene_read(const AssimpCalls *assimp, const char *bytes, size_t size, const AssimpWish *wish, Scene *out,
                         Error *err)
{
    static const char *const off[] = {
        AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, AI_CONFIG_IMPORT_FBX_READ_ALL_GEOMETRY_LAYERS,
        AI_CONFIG_IMPORT_FBX_READ_ALL_MATERIALS, AI_CONFIG_IMPORT_FBX_READ_MATERIALS,
        AI_CONFIG_IMPORT_FBX_READ_TEXTURES, AI_CONFIG_IMPORT_FBX_READ_WEIGHTS,
    };
    Converter c = {.wish = wish, .out = out, .is_fbx = strcmp(wish->format, "fbx") == 0, .err = err};
    struct aiPropertyStore *properties = assimp->CreatePropertyStore();
    *out = (Scene){0};
    for (size_t i = 0; properties && i < sizeof off / sizeof *off; i++)
        assimp->SetImportPropertyInteger(properties, off[i], 0);
    if (size > UINT32_MAX || !properties)
        return error_set(err, STATUS_LIMIT, "the file is too large");
    c.from = assimp->ImportFileFromMemoryWithProperties(bytes, (unsigned)size, 0, wish->format, properties);
    if (!c.from || !c.from->mRootNode)
        return error_set(err, STATUS_BAD_INPUT, "libassimp cannot read the file: %.200s: export it again",
                         assimp->GetErrorString());
    return convert(&c);
}
