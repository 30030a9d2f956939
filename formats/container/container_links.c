#include "formats/container/container_links.h"

#include <stdio.h>
#include <string.h>

#include "formats/container/container_schema.h"

enum { MAX_DEPTH = 16 };

typedef struct LinkWalk {
    const char *path; /* group whose links are visited, "" the root */
    int depth;
    char *warning;
    size_t warning_size;
    Error *err;
} LinkWalk;

static Status refuse(Error *err, const char *path, const char *what)
{
    return error_set(err, STATUS_BAD_INPUT, "%s %s", path, what);
}

static Status check_filters(hid_t properties, const char *path, Error *err)
{
    int count = H5Pget_nfilters(properties);
    for (int i = 0; i < count; i++) {
        unsigned flags;
        size_t values = 0;
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
            return refuse(err, path, "uses a filter other than deflate and shuffle, which is refused");
    }
    return STATUS_OK;
}

Status storage_check(hid_t dataset, const char *path, Error *err)
{
    Status status;
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0)
        return refuse(err, path, "is damaged");
    H5D_layout_t kind = H5Pget_layout(properties);
    if (kind != H5D_CONTIGUOUS && kind != H5D_CHUNKED && kind != H5D_COMPACT)
        status = refuse(err, path, "is a virtual dataset, which is refused");
    else if (H5Pget_external_count(properties) != 0)
        status = refuse(err, path, "is stored in another file, which is refused");
    else
        status = check_filters(properties, path, err);
    H5Pclose(properties);
    return status;
}

typedef enum LinkKind { LINK_UNKNOWN, LINK_GROUP, LINK_DATASET } LinkKind;

/* Whether path is "group/name", or "name" where group is empty. */
static int is_path(const char *path, const char *group, const char *name)
{
    size_t length = strlen(group);
    if (strncmp(path, group, length) != 0)
        return 0;
    if (length == 0)
        return strcmp(path, name) == 0;
    return path[length] == '/' && strcmp(path + length + 1, name) == 0;
}

/* What a name in a group of the container stands for. */
static LinkKind link_kind(const char *group, const char *name)
{
    int root = *group == '\0';
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const char *where = schema_groups[schema_datasets[i].group].name;
        if (strcmp(name, schema_datasets[i].name) == 0 && (root ? *where == '/' : strcmp(group + 1, where) == 0))
            return LINK_DATASET;
    }
    for (int i = 1; root && i < DIM_COUNT; i++) {
        const SchemaDimension *d = &schema_dimensions[i];
        if (strcmp(name, d->name) == 0 || (d->place && strcmp(name, d->place) == 0))
            return LINK_DATASET;
    }
    for (int i = 1; i < GROUP_COUNT; i++)
        if (is_path(schema_groups[i].name, root ? "" : group + 1, name))
            return LINK_GROUP;
    return LINK_UNKNOWN;
}

static void note_dropped(LinkWalk *w, const char *path)
{
    size_t used = strlen(w->warning), gap = used ? 2 : 0, length = strlen(path);
    if (used + gap + length >= w->warning_size)
        return;
    memcpy(w->warning + used, ", ", gap);
    memcpy(w->warning + used + gap, path, length + 1);
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *data);

static Status walk(LinkWalk *w, hid_t group, const char *path)
{
    const char *outer = w->path;
    if (w->depth >= MAX_DEPTH)
        return refuse(w->err, path, "is nested too deeply");
    w->path = path;
    w->depth++;
    w->err->status = STATUS_OK;
    herr_t result = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, w);
    w->depth--;
    w->path = outer;
    if (result >= 0)
        return STATUS_OK;
    return w->err->status ? w->err->status : refuse(w->err, *path ? path : "/", "is damaged");
}

static Status check_object(LinkWalk *w, hid_t object, const char *path)
{
    switch (H5Iget_type(object)) {
    case H5I_GROUP: return walk(w, object, path);
    case H5I_DATASET: return storage_check(object, path, w->err);
    default: return STATUS_OK;
    }
}

/* The root's links are visited at depth 1, those of its groups at depth 2. */
static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    LinkWalk *w = data;
    char path[256];
    snprintf(path, sizeof path, "%.120s/%.120s", w->path, name); /* for messages; known names are short */
    if (info->type != H5L_TYPE_HARD)
        return -(herr_t)refuse(w->err, path, "is a soft or external link, which is refused");
    LinkKind kind = link_kind(w->path, name);
    if (kind == LINK_DATASET)
        return 0;
    if (kind == LINK_UNKNOWN && (w->depth == 1 || (w->depth == 2 && link_kind("", w->path + 1) == LINK_GROUP)))
        note_dropped(w, path);
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return -(herr_t)refuse(w->err, path, "is damaged");
    Status status = check_object(w, object, path);
    H5Oclose(object);
    return -(herr_t)status; /* negative ends the walk */
}

Status links_check(hid_t file, char *warning, size_t warning_size, Error *err)
{
    Error local = {0};
    LinkWalk walker = {.path = "", .warning = warning, .warning_size = warning_size, .err = err ? err : &local};
    warning[0] = '\0';
    return walk(&walker, file, "");
}
