/* See scene_bones.h. */
#include "formats/scene_file/scene_bones.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "formats/scene_file/scene_pose.h"
#include "formats/scene_file/scene_findings.h"

/* What is known of each node while bones are chosen. */
typedef struct Choice {
    const Scene *scene;
    int are_ends_joints;
    char *has_keys, *moves; /* [node] */
    char *is_bone;          /* [node] a joint */
    int *below;             /* [node] bones in the tree below it, itself included */
    int *keyed;             /* [node] those of them with keys */
    int *branches;          /* [node] children with bones */
    int *branch;            /* [node] the last of them */
} Choice;

static int is_solid(const Scene *scene, int node)
{
    return scene->node[node].kind == SCENE_MESH || scene->node[node].kind == SCENE_OTHER;
}

static Status choice_init(Choice *c, const Scene *scene, Arena *arena, Error *err)
{
    size_t nodes = (size_t)scene->node_count;
    *c = (Choice){.scene = scene};
    c->has_keys = arena_array(arena, nodes, 1, 1);
    c->moves = arena_array(arena, nodes, 1, 1);
    c->is_bone = arena_array(arena, nodes, 1, 1);
    c->below = arena_array(arena, nodes, 1, sizeof *c->below);
    c->keyed = arena_array(arena, nodes, 1, sizeof *c->keyed);
    c->branches = arena_array(arena, nodes, 1, sizeof *c->branches);
    c->branch = arena_array(arena, nodes, 1, sizeof *c->branch);
    if (arena->failed)
        return error_no_memory(err);
    for (int i = 0; i < scene->channel_count; i++) {
        const SceneChannel *channel = &scene->channel[i];
        for (int p = 0; p < SCENE_PATHS; p++)
            c->has_keys[channel->node] |= channel->path[p].count > 0;
        c->moves[channel->node] = (char)scene_channel_moves(channel);
    }
    return STATUS_OK;
}

static int any(const Choice *c, const char *is, SceneNodeKind kind)
{
    for (int i = 0; i < c->scene->node_count; i++)
        if ((!is || is[i]) && c->scene->node[i].kind == kind)
            return 1;
    return 0;
}

/* Marks the nodes that are bones by themselves: the known ones, else groups with keys, else meshes with keys, else, of
 * a model without motion, all groups. */
static void mark_seeds(Choice *c)
{
    int known = any(c, NULL, SCENE_BONE), groups = any(c, c->has_keys, SCENE_PLAIN);
    int meshes = any(c, c->has_keys, SCENE_MESH);
    for (int i = 0; i < c->scene->node_count; i++) {
        SceneNodeKind kind = c->scene->node[i].kind;
        c->is_bone[i] = known    ? kind == SCENE_BONE
                        : groups ? c->has_keys[i] && kind == SCENE_PLAIN
                        : meshes ? c->has_keys[i] && kind == SCENE_MESH
                                 : kind == SCENE_PLAIN;
    }
}

/* Counts bones below each node and the branches that have some. */
static void count_below(Choice *c)
{
    memset(c->branches, 0, (size_t)c->scene->node_count * sizeof *c->branches);
    for (int i = c->scene->node_count - 1; i >= 0; i--)
        c->below[i] = c->is_bone[i], c->keyed[i] = c->has_keys[i];
    for (int i = c->scene->node_count - 1; i >= 0; i--) {
        int parent = c->scene->node[i].parent;
        if (parent >= 0 && c->below[i] > 0) {
            c->below[parent] += c->below[i];
            c->keyed[parent] += c->keyed[i];
            c->branches[parent]++;
            c->branch[parent] = i;
        }
    }
}

/* Adds what is between bones, what hangs on them, and groups above them that move. */
static void mark_rest(Choice *c)
{
    for (int i = 0; i < c->scene->node_count; i++) {
        int parent = c->scene->node[i].parent, is_under = parent >= 0 && c->is_bone[parent];
        int is_link = c->below[i] > 0 && (is_under || c->moves[i]);
        c->is_bone[i] |= (char)(is_link || (is_under && !is_solid(c->scene, i)));
    }
    count_below(c);
}

/* The first joint of the tree below a node. */
static int first_joint(const Choice *c, int node)
{
    while (c->branches[node] == 1 && !c->moves[node] &&
           (!c->is_bone[node] || c->scene->node[node].kind == SCENE_PLAIN))
        node = c->branch[node];
    return node;
}

/* ---- Trees ---- */

typedef struct Trees {
    int count, chosen;
    int *top; /* [count] first joints */
} Trees;

/* Lists the trees with bones: of those with keys if there are any. */
static void list_trees(const Choice *c, Trees *trees)
{
    for (int keyed = 1; keyed >= 0 && trees->count == 0; keyed--)
        for (int i = 0; i < c->scene->node_count; i++)
            if (c->scene->node[i].parent < 0 && c->below[i] > 0 && (!keyed || c->keyed[i] > 0))
                trees->top[trees->count++] = first_joint(c, i);
    for (int t = 1; t < trees->count; t++)
        if (c->below[trees->top[t]] > c->below[trees->top[trees->chosen]])
            trees->chosen = t;
}

static Status warn_others(const Choice *c, const Trees *trees, Findings *findings, Error *err)
{
    char others[160] = "";
    size_t used = 0;
    for (int t = 0; t < trees->count && used + 40 < sizeof others; t++)
        if (t != trees->chosen)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s\"%.24s\"", used ? ", " : "",
                                     c->scene->node[trees->top[t]].name);
    return findings_add(findings, SCENE_FINDING_TREES, (FileLocation){0}, err,
                        "skeleton \"%.24s\" is read, left out: %s; import's --root NAME reads another, --root all "
                        "keeps them", c->scene->node[trees->top[trees->chosen]].name, others);
}

/* Returns the bone of a name; -1: none. */
static int find_named(const Choice *c, const char *name)
{
    for (int i = 0; i < c->scene->node_count; i++)
        if (c->below[i] > 0 && strcmp(c->scene->node[i].name, name) == 0)
            return i;
    return -1;
}

static Status choose_tree(const Choice *c, const SourceDef *def, Trees *trees, Findings *findings, Error *err)
{
    if (trees->count == 0)
        return error_set(err, STATUS_BAD_INPUT, "the file has no skeleton");
    if (!def->root)
        return trees->count > 1 ? warn_others(c, trees, findings, err) : STATUS_OK;
    if (strcmp(def->root, "all") == 0) {
        trees->chosen = trees->count > 1 ? -1 : 0;
        return STATUS_OK;
    }
    int named = find_named(c, def->root);
    if (named < 0)
        return error_set(err, STATUS_BAD_INPUT, "no node \"%.60s\" in the skeleton; the first is \"%.60s\"", def->root,
                         c->scene->node[trees->top[trees->chosen]].name);
    trees->chosen = 0;
    trees->count = 1;
    trees->top[0] = named;
    return STATUS_OK;
}

/* ---- Joints ---- */

/* Returns whether a name is that of the end of a bone: Head_end, ToeNub, EndSite, Toe_End. */
static int names_an_end(const char *name)
{
    static const char *const endings[] = {"_end", ".end", "-end", " end", "nub", "endsite", "_tip", "End"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        int is_case = isupper((unsigned char)endings[i][0]);
        if (length > size && !(is_case ? strcmp : strcasecmp)(name + length - size, endings[i]))
            return 1;
    }
    return 0;
}

static int is_end(const Choice *c, int node)
{
    return !c->are_ends_joints && c->branches[node] == 0 && !c->moves[node] && names_an_end(c->scene->node[node].name);
}

static Status bones_init(SceneBones *out, const Scene *scene, Error *err)
{
    int failed = 0;
    size_t nodes = (size_t)scene->node_count;
    *out = (SceneBones){0};
    out->joint = array_try(&failed, nodes + 1, 1, sizeof *out->joint);
    out->parent = array_try(&failed, nodes + 1, 1, sizeof *out->parent);
    out->end = array_try(&failed, nodes, 1, sizeof *out->end);
    out->end_parent = array_try(&failed, nodes, 1, sizeof *out->end_parent);
    out->needed = array_try(&failed, nodes, 1, 1);
    return failed ? error_no_memory(err) : STATUS_OK;
}

static void need(SceneBones *out, const Scene *scene, int node)
{
    for (; node >= 0 && !out->needed[node]; node = scene->node[node].parent)
        out->needed[node] = 1;
}

static void add_joint(SceneBones *out, int node, int parent, int *joint_of)
{
    joint_of[node] = out->joint_count;
    out->joint[out->joint_count] = node;
    out->parent[out->joint_count++] = parent;
}

/* Adds the trees below the first joints, for which joint_of is -2; it is -1 for other nodes. */
static void add_trees(const Choice *c, SceneBones *out, int *joint_of)
{
    int above = out->joint_count > 0 ? 0 : -1;
    for (int i = 0; i < c->scene->node_count; i++) {
        int is_first = joint_of[i] == -2;
        int parent = is_first || c->scene->node[i].parent < 0 ? above : joint_of[c->scene->node[i].parent];
        if (!is_first && (c->scene->node[i].parent < 0 || parent < 0 || c->below[i] == 0))
            continue;
        need(out, c->scene, i);
        if (!is_first && is_end(c, i)) {
            out->end[out->end_count] = i;
            out->end_parent[out->end_count++] = parent;
        } else
            add_joint(out, i, parent, joint_of);
    }
}

static Status check_limits(const SceneBones *bones, const SourceDef *def, Arena *arena, Error *err)
{
    int *depth = arena_array(arena, (size_t)bones->joint_count, 1, sizeof *depth);
    if (!depth)
        return error_no_memory(err);
    if (bones->joint_count > def->max_joints)
        return error_set(err, STATUS_LIMIT, "%d joints, more than %d", bones->joint_count, def->max_joints);
    for (int j = 0; j < bones->joint_count; j++) {
        depth[j] = bones->parent[j] < 0 ? 1 : depth[bones->parent[j]] + 1;
        if (depth[j] > def->max_depth)
            return error_set(err, STATUS_LIMIT, "more than %d nested joints", def->max_depth);
    }
    return STATUS_OK;
}

static Status choose(Choice *c, const SourceDef *def, SceneBones *out, Findings *findings, Arena *arena, Error *err)
{
    size_t nodes = (size_t)c->scene->node_count;
    Trees trees = {.top = arena_array(arena, nodes, 1, sizeof *trees.top)};
    int *joint_of = arena_array(arena, nodes, 1, sizeof *joint_of);
    if (arena->failed)
        return error_no_memory(err);
    for (size_t i = 0; i < nodes; i++)
        joint_of[i] = -1;
    mark_seeds(c);
    count_below(c);
    mark_rest(c);
    list_trees(c, &trees);
    Status status = choose_tree(c, def, &trees, findings, err);
    if (!status)
        status = bones_init(out, c->scene, err);
    if (status)
        return status;
    if (trees.chosen < 0)
        out->joint[out->joint_count] = out->parent[out->joint_count] = -1, out->joint_count++;
    for (int t = 0; t < trees.count; t++)
        if (trees.chosen < 0 || t == trees.chosen)
            joint_of[trees.top[t]] = -2;
    add_trees(c, out, joint_of);
    return check_limits(out, def, arena, err);
}

Status scene_choose_bones(const Scene *scene, const SourceDef *def, int are_ends_joints, SceneBones *out,
                          Findings *findings, Error *err)
{
    Arena arena = {0};
    Choice choice;
    *out = (SceneBones){0};
    Status status = choice_init(&choice, scene, &arena, err);
    choice.are_ends_joints = are_ends_joints;
    if (!status)
        status = choose(&choice, def, out, findings, &arena, err);
    arena_free(&arena);
    return status;
}

void scene_bones_free(SceneBones *bones)
{
    free(bones->joint);
    free(bones->parent);
    free(bones->end);
    free(bones->end_parent);
    free(bones->needed);
    *bones = (SceneBones){0};
}
