/* Which nodes of a scene are joints of the clip: bones by the file's own word, else the nodes that move, and the nodes
 * between and below them; meshes, cameras and lights are not. Groups above the first bone (Armature, Reference) are
 * left out unless they move or branch. */
#ifndef KANE_SCENE_FILE_SCENE_BONES_H
#define KANE_SCENE_FILE_SCENE_BONES_H

#include "analysis/detect/findings.h"
#include "formats/base/source_format.h"
#include "formats/scene_file/scene_tree.h"

typedef struct SceneBones {
    int joint_count, end_count;
    int *joint;      /* [joint] node, parents first; -1: the world, above several trees */
    int *parent;     /* [joint] */
    int *end;        /* [end] node of an end bone */
    int *end_parent; /* [end] joint */
    char *needed;    /* [node] 1: a joint, an end, or above one */
} SceneBones;

/* are_ends_joints: 1: end bones are joints, too. def->root: the name of the first joint, "all" for all trees, or NULL
 * for the largest one; others become a finding of this kind. STATUS_BAD_INPUT without a joint, or for an unknown name;
 * STATUS_LIMIT beyond def's limits. Free *out also after failure. */
Status scene_choose_bones(const Scene *scene, const SourceDef *def, int are_ends_joints, SceneBones *out,
                          Findings *findings, Error *err);
void scene_bones_free(SceneBones *bones);

#endif
