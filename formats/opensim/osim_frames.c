/* See osim_frames.h. OpenSim 4 writes offset frames into <frames> of a joint and into <components> of any component. */
#include "formats/opensim/osim_frames.h"

#include <string.h>

#include "formats/opensim/osim_values.h"

enum { MAX_FRAME_LEVELS = 8 };

/* What a path names: the element of an offset frame, else a body. */
typedef struct Found {
    const XmlElement *element;
    const char *body;
} Found;

OsimFrame osim_frame_product(OsimFrame a, OsimFrame b)
{
    return (OsimFrame){vec3_add(a.x, quat_rotate(a.q, b.x)), quat_normalize(quat_mul(a.q, b.q))};
}

OsimFrame osim_frame_inverse(OsimFrame a)
{
    Quat back = quat_conjugate(a.q);
    return (OsimFrame){vec3_neg(quat_rotate(back, a.x)), back};
}

OsimFrame osim_frame(Vec3 at, Vec3 angles)
{
    Quat x = quat_from_axis_angle(vec3(1, 0, 0), angles.x), y = quat_from_axis_angle(vec3(0, 1, 0), angles.y);
    Quat xy = quat_mul(x, y);
    return (OsimFrame){at, quat_normalize(quat_mul(xy, quat_from_axis_angle(vec3(0, 0, 1), angles.z)))};
}

/* ---- Paths ---- */

const char *osim_first_text(const XmlElement *element, const char *const *names)
{
    const char *text = NULL;
    for (; *names && !text; names++)
        text = xml_child_text(element, *names);
    return text ? text : "";
}

static int is_offset_frame(const XmlElement *e)
{
    return strcmp(e->name, "PhysicalOffsetFrame") == 0;
}

/* The component that contains an element: <Body name="thigh"><components><PhysicalOffsetFrame>. */
static const XmlElement *owner_of(const XmlElement *e)
{
    const XmlElement *owner = e->parent;
    while (owner && !xml_attribute(owner, "name"))
        owner = owner->parent;
    return owner;
}

/* The part of a path before its last one, without its slashes; *size 0: there is none. */
static const char *part_before(const char *path, size_t *size)
{
    const char *end = strrchr(path, '/'), *begin = end;
    while (begin && begin > path && begin[-1] != '/')
        begin--;
    *size = end ? (size_t)(end - begin) : 0;
    return begin;
}

/* Whether the component that contains the frame is the one that the path names. */
static int is_in_path(const XmlElement *frame, const char *path)
{
    size_t size;
    const char *part = part_before(path, &size);
    const XmlElement *owner = owner_of(frame);
    if (!part || !owner)
        return 0;
    if (size == 0) /* "/name" */
        return strcmp(owner->name, "Model") == 0;
    if (size == 2 && memcmp(part, "..", 2) == 0)
        return 1;
    const char *name = strcmp(owner->name, "Ground") == 0 ? "ground" : osim_name(owner);
    return strlen(name) == size && memcmp(name, part, size) == 0;
}

static const XmlElement *frame_of_list(const XmlElement *list, const char *name)
{
    const XmlElement *e = list ? list->first : NULL;
    while (e && strcmp(osim_name(e), name) != 0)
        e = e->next;
    return e;
}

/* The next element of a tree below `top`, in file order. */
static const XmlElement *next_below(const XmlElement *e, const XmlElement *top)
{
    if (e->first)
        return e->first;
    while (e && e != top && !e->next)
        e = e->parent;
    return e && e != top ? e->next : NULL;
}

static int count_frames(const XmlElement *model, const XmlElement **frame)
{
    int count = 0;
    for (const XmlElement *e = model; e; e = next_below(e, model))
        if (is_offset_frame(e)) {
            if (frame)
                frame[count] = e;
            count++;
        }
    return count;
}

Status osim_frames_list(const XmlElement *model, Arena *memory, OsimFrames *out, Error *err)
{
    *out = (OsimFrames){.count = count_frames(model, NULL)};
    if (out->count > OSIM_MAX_FRAMES)
        return xml_error(model, STATUS_LIMIT, err, "more than %d frames", OSIM_MAX_FRAMES);
    out->frame = arena_array(memory, (size_t)out->count, 1, sizeof *out->frame);
    if (memory->failed)
        return error_no_memory(err);
    count_frames(model, out->frame);
    return STATUS_OK;
}

static const XmlElement *frame_of_model(const OsimFrames *frames, const char *path)
{
    const char *name = osim_path_end(path);
    for (int i = 0; i < frames->count; i++)
        if (strcmp(osim_name(frames->frame[i]), name) == 0 && is_in_path(frames->frame[i], path))
            return frames->frame[i];
    return NULL;
}

/* ".." of a frame is the component that contains it. */
static Found find(const OsimFrames *frames, const XmlElement *user, const char *path)
{
    const XmlElement *owner = owner_of(user);
    if (strcmp(path, "..") == 0 && owner)
        return (Found){is_offset_frame(owner) ? owner : NULL,
                       strcmp(owner->name, "Ground") == 0 ? "ground" : osim_name(owner)};
    const XmlElement *list = xml_first(is_offset_frame(user) && owner ? owner : user, "frames");
    const XmlElement *own = frame_of_list(list, osim_path_end(path));
    return (Found){own ? own : frame_of_model(frames, path), osim_path_end(path)};
}

Status osim_frame_find(const OsimFrames *frames, const XmlElement *user, const char *path, OsimPlace *out, Error *err)
{
    static const char *const parents[] = {"socket_parent", "socket_parent_frame", "socket_parent_connectee_name",
                                          "socket_parent_frame_connectee_name", NULL};
    Found found = find(frames, user, path);
    out->frame = (OsimFrame){{0, 0, 0}, QUAT_IDENTITY};
    for (int level = 0; found.element; level++) {
        const XmlElement *frame = found.element;
        Vec3 x = {0, 0, 0}, angles = {0, 0, 0};
        Status status = osim_vec3(frame, "translation", &x, err);
        if (!status)
            status = osim_vec3(frame, "orientation", &angles, err);
        if (!status && level >= MAX_FRAME_LEVELS)
            status = xml_error(frame, STATUS_BAD_INPUT, err, "%.60s: its frames form a circle", osim_name(user));
        if (status)
            return status;
        out->frame = osim_frame_product(osim_frame(x, angles), out->frame);
        found = find(frames, frame, osim_first_text(frame, parents));
    }
    out->body = found.body;
    return STATUS_OK;
}
