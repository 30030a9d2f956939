/* See bvh_roots.h. */
#include "formats/bvh/bvh_roots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/roles.h"
#include "analysis/clip/skeleton.h"
#include "formats/bvh/bvh_cut.h"

static const char world_name[] = "World";
enum { ROOTS_SHOWN = 6, MIN_TIPS = 4 }; /* a body has at least four limbs, head and tail included */

/* A ROOT with the joints below it, which follow it in the file. */
typedef struct Tree {
    int first, end; /* joints */
    int is_human, has_limbs;
} Tree;

static int count_tips(const Bvh *bvh, const Tree *tree)
{
    int tips = 0;
    for (int j = tree->first; j < tree->end; j++) {
        int next_is_child = j + 1 < tree->end && bvh->parent[j + 1] == j;
        tips += !next_is_child;
    }
    return tips;
}

static Status tree_skeleton(const Bvh *bvh, const Tree *tree, Skeleton *out, Error *err)
{
    int ends = 0;
    for (int e = 0; e < bvh->end_count; e++)
        ends += bvh->end_parent[e] >= tree->first && bvh->end_parent[e] < tree->end;
    Status status = skeleton_init(out, tree->end - tree->first, ends, err);
    for (int j = tree->first; j < tree->end && !status; j++) {
        status = skeleton_set_name(out, j - tree->first, bvh->name[j], err);
        out->parent[j - tree->first] = bvh->parent[j] < 0 ? -1 : bvh->parent[j] - tree->first;
        out->offset[j - tree->first] = bvh->offset[j];
    }
    for (int e = 0, to = 0; e < bvh->end_count && !status; e++)
        if (bvh->end_parent[e] >= tree->first && bvh->end_parent[e] < tree->end) {
            out->end_offset[to] = bvh->end_offset[e];
            out->end_parent[to++] = bvh->end_parent[e] - tree->first;
        }
    return status;
}

static Status judge_tree(const Bvh *bvh, Tree *tree, Error *err)
{
    Skeleton skeleton = {0};
    RoleSigns signs;
    Status status = tree_skeleton(bvh, tree, &skeleton, err);
    if (!status)
        status = roles_assign(&skeleton, &signs, err);
    if (!status)
        tree->is_human = roles_are_human(&skeleton) || roles_are_partly_human(&skeleton);
    tree->has_limbs = count_tips(bvh, tree) >= MIN_TIPS;
    skeleton_free(&skeleton);
    return status;
}

/* Lists the trees; NULL without memory. */
static Tree *list_trees(const Bvh *bvh, Arena *arena, int *count)
{
    Tree *tree = arena_array(arena, (size_t)bvh->joint_count, 1, sizeof *tree);
    *count = 0;
    for (int j = 0; tree && j < bvh->joint_count; j++) {
        if (bvh->parent[j] < 0)
            tree[(*count)++].first = j;
        tree[*count - 1].end = j + 1;
    }
    return tree;
}

/* Writes 'Hips (line 2, 31 joints), Prop (line 185, 1 joint)'. */
static void describe_trees(const Bvh *bvh, const Tree *tree, int count, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < count && i < ROOTS_SHOWN && used < size; i++) {
        int joints = tree[i].end - tree[i].first;
        used += (size_t)snprintf(text + used, size - used, "%s\"%.24s\" (line %d, %d joint%s)", i ? ", " : "",
                                 bvh->name[tree[i].first], bvh->line[tree[i].first], joints, joints == 1 ? "" : "s");
    }
    if (count > ROOTS_SHOWN && used < size)
        snprintf(text + used, size - used, " and %d more", count - ROOTS_SHOWN);
}

static Status refuse(const Bvh *bvh, const Tree *tree, int count, const char *why, Error *err)
{
    char roots[340];
    describe_trees(bvh, tree, count, roots, sizeof roots);
    return error_set_at(err, STATUS_BAD_INPUT, bvh->line[tree[count > 1].first], 1,
                        "%s: %s; choose one by import's --root NAME%s", why, roots,
                        count > 1 ? ", or all by import's --root all" : "");
}

static int number_of(const char *name, int count)
{
    char *end;
    long number = strtol(name, &end, 10);
    return *name && !*end && number >= 1 && number <= count ? (int)number - 1 : -1;
}

/* Sets *chosen to the tree of this name, or of this number if no tree has the name. */
static Status find_named(const Bvh *bvh, const Tree *tree, int count, const char *name, int *chosen, Error *err)
{
    int found = 0;
    *chosen = number_of(name, count);
    for (int i = 0; i < count; i++)
        if (strcmp(bvh->name[tree[i].first], name) == 0) {
            *chosen = i;
            found++;
        }
    if (found > 1)
        return refuse(bvh, tree, count, "several ROOTs of this name, which have the numbers 1, 2 and so on", err);
    return *chosen >= 0 ? STATUS_OK : refuse(bvh, tree, count, "no ROOT of this name", err);
}

/* Sets *chosen to the only body: the only person, or without persons the only tree with limbs. */
static Status find_body(const Bvh *bvh, const Tree *tree, int count, int *chosen, Error *err)
{
    int people = 0, limbed = 0, person = 0, animal = 0;
    for (int i = 0; i < count; i++) {
        people += tree[i].is_human;
        limbed += tree[i].has_limbs;
        person = tree[i].is_human ? i : person;
        animal = tree[i].has_limbs ? i : animal;
    }
    *chosen = people ? person : animal;
    if (people == 1 || (people == 0 && limbed == 1))
        return STATUS_OK;
    return refuse(bvh, tree, count, people > 1 || limbed > 1 ? "several bodies" : "several ROOTs, none clearly a body",
                  err);
}

static Status keep_tree(Bvh *bvh, const Tree *tree, Arena *arena, Error *err)
{
    char *keep = arena_array(arena, (size_t)bvh->joint_count, 1, 1);
    if (!keep)
        return error_no_memory(err);
    memset(keep + tree->first, 1, (size_t)(tree->end - tree->first));
    return bvh_keep_joints(bvh, keep, err);
}

static Status warn_others(Bvh *bvh, const Tree *tree, int count, int chosen, Error *err)
{
    char others[340];
    Tree left[ROOTS_SHOWN + 1];
    int n = 0;
    for (int i = 0; i < count && n <= ROOTS_SHOWN; i++)
        if (i != chosen)
            left[n++] = tree[i];
    describe_trees(bvh, left, n, others, sizeof others);
    return bvh_warn(bvh, BVH_ERROR_ROOTS, (BvhLocation){bvh->line[left[0].first], 1}, err,
                    "ROOT \"%.24s\" is read, left out: %.90s; import's --root all keeps them, import's --root NAME "
                    "reads another", bvh->name[tree[chosen].first], others);
}

/* One joint above all trees. */
static Status join_trees(Bvh *bvh, const Tree *tree, int count, Error *err)
{
    int people = 0;
    for (int i = 0; i < count; i++)
        people += tree[i].is_human;
    if (people > 1)
        return refuse(bvh, tree, count, "a clip has one body, the file several", err);
    return bvh_add_root(bvh, world_name, err);
}

static Status choose(Bvh *bvh, Tree *tree, int count, const char *name, Arena *arena, Error *err)
{
    int chosen;
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = judge_tree(bvh, &tree[i], err);
    if (status)
        return status;
    if (name && strcmp(name, "all") == 0)
        return join_trees(bvh, tree, count, err);
    status = name ? find_named(bvh, tree, count, name, &chosen, err) : find_body(bvh, tree, count, &chosen, err);
    if (!status && !name)
        status = warn_others(bvh, tree, count, chosen, err);
    return status ? status : keep_tree(bvh, &tree[chosen], arena, err);
}

Status bvh_choose_roots(Bvh *bvh, const SourceDef *def, Error *err)
{
    Arena arena = {0};
    int count, chosen;
    Tree *tree = list_trees(bvh, &arena, &count);
    Status status = tree ? STATUS_OK : error_no_memory(err);
    if (!status && count > 1)
        status = choose(bvh, tree, count, def->root, &arena, err);
    else if (!status && def->root && strcmp(def->root, "all") != 0)
        status = find_named(bvh, tree, count, def->root, &chosen, err);
    arena_free(&arena);
    return status;
}
