/* A scene of an animation file: its tree of nodes and the keys of its takes, whatever the format. Readers of glTF
 * (gltf_scene.h) and of FBX and Collada (scene_child.h) fill it, scene_take.h makes a take of it.
 *
 * The local transform of a node is translation * rotation * scale, in the axes of its parent. Reference: Khronos, glTF
 * 2.0 specification, 3.5.3 (transformations), 3.11 (animations); Autodesk, FBX SDK, "Nodes: transformations" (inherited
 * scale). */
#ifndef KANE_SCENE_FILE_SCENE_TREE_H
#define KANE_SCENE_FILE_SCENE_TREE_H

#include "analysis/base/status.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

enum { SCENE_MAX_NODES = 65536, SCENE_MAX_TAKES = 10000 };

typedef enum SceneNodeKind {
    SCENE_PLAIN, /* a group, a null object, or unknown: a bone if it moves */
    SCENE_BONE,  /* a bone by the file's own word */
    SCENE_MESH,
    SCENE_OTHER, /* camera or light */
    SCENE_KINDS
} SceneNodeKind;

/* How the scale of the parent acts on a node; the values are those of FBX files. */
typedef enum SceneInherit {
    SCENE_RRSS, /* rotations, then scales: the parent's scale does not shear */
    SCENE_RSRS, /* matrices multiply; all formats but FBX */
    SCENE_RRS,  /* the parent's own scale is not inherited, only that of its ancestors */
    SCENE_INHERITS
} SceneInherit;

typedef struct SceneLocal {
    Mat3 linear;   /* rotation * scale */
    Quat rotation; /* the one in it, which linear alone does not show if scales are negative */
    Vec3 shift;
} SceneLocal;

typedef struct SceneNode {
    char *name;  /* owned; UTF-8, or what the file has */
    int parent;  /* before the node; -1: none */
    SceneNodeKind kind;
    SceneInherit inherit;
    SceneLocal rest;
} SceneNode;

typedef enum ScenePath { SCENE_TRANSLATION, SCENE_ROTATION, SCENE_SCALE, SCENE_PATHS } ScenePath;
typedef enum SceneCurve { SCENE_LINEAR, SCENE_STEP, SCENE_CUBIC, SCENE_CURVES } SceneCurve;

static inline int scene_path_width(ScenePath path) { return path == SCENE_ROTATION ? 4 : 3; }

/* Keys of one path of a node. */
typedef struct SceneKeys {
    int count;
    SceneCurve curve;
    double *time;  /* [count] s, not decreasing; owned */
    double *value; /* [count][width], quaternions x y z w; of SCENE_CUBIC [count][3][width]: slope before, value, slope
                      after, per second; owned */
} SceneKeys;

typedef struct SceneChannel {
    int node;
    SceneKeys path[SCENE_PATHS]; /* count 0: the rest value */
} SceneChannel;

typedef struct Scene {
    int node_count;
    SceneNode *node; /* owned; parents first */
    char *name;      /* of the take; NULL: none. Owned */
    double begin, end; /* s, of the take; NaN: those of the keys */
    double rate;     /* frames per second stated by the file; 0: none */
    int channel_count;
    SceneChannel *channel; /* owned; at most one per node */
    double meters_per_unit; /* 0: not stated */
    UpAxis up;              /* UP_AUTO: not stated */
} Scene;

void scene_free(Scene *scene);

/* Allocates nodes, with a rest transform of identity, and channels without keys. On failure *out is empty. */
Status scene_init(Scene *out, int node_count, int channel_count, Error *err);

/* Allocates the keys of a path. */
Status scene_keys_init(SceneKeys *keys, ScenePath path, int count, SceneCurve curve, Error *err);

static inline SceneLocal scene_identity(void)
{
    return (SceneLocal){{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 0, 0, 0}, {0, 0, 0}};
}

SceneLocal scene_local(Vec3 translation, Quat rotation, Vec3 scale);
SceneLocal scene_local_of_matrix(Mat3 linear, Vec3 shift);

/* The rotation of a matrix whose columns may be scaled, mirrored or sheared: its first column, and its second at right
 * angles to it. Returns `otherwise` if a column is zero. */
Quat scene_rotation(Mat3 linear, Quat otherwise);

/* STATUS_BAD_INPUT unless parents precede, numbers are finite, times do not decrease, channels have nodes of their own;
 * for scenes from elsewhere. */
Status scene_check(const Scene *scene, Error *err);

/* Writes the sentence that names what a file without motion lacks. format: "FBX". */
Status scene_no_motion(const char *format, Error *err);

#endif
