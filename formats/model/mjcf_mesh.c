/* Meshes of the asset section. They are read when a geom needs them: from files in the model's folder, or from numbers
 * in attributes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/base/number.h"
#include "formats/model/mesh_file.h"
#include "formats/model/mjcf_values.h"

/* Returns the name of a mesh: its attribute, or the file name without folder and extension. */
static const char *mesh_name(MjcfReader *r, const XmlElement *e)
{
    const char *name = xml_attribute(e, "name"), *file = xml_attribute(e, "file");
    if (name || !file)
        return name ? name : "";
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
    size_t length = dot ? (size_t)(dot - start) : strlen(start);
    char *copy = arena_array(&r->scratch, length + 1, 1, 1);
    return copy ? memcpy(copy, start, length) : "";
}

void mjcf_list_meshes(MjcfReader *r, const XmlElement *root)
{
    for (int write = 0; write < 2 && !r->status; write++) {
        int count = 0;
        for (const XmlElement *s = xml_first(root, "asset"); s; s = xml_next(s, "asset"))
            for (const XmlElement *e = xml_first(s, "mesh"); e; e = xml_next(e, "mesh"), count++)
                if (write)
                    r->mesh[count] = (MjcfMesh){.element = e, .name = mesh_name(r, e), .hull = -1};
        if (!write) {
            r->mesh = arena_array(&r->scratch, (size_t)count, 1, sizeof *r->mesh);
            r->model->mesh = arena_array(&r->model->memory, (size_t)count, 1, sizeof *r->model->mesh);
        }
        r->mesh_count = count;
        if (!r->mesh || !r->model->mesh)
            r->status = error_no_memory(r->err);
    }
}

typedef struct MeshPath {
    char text[4096];
    const char *shown; /* text without the model's folder */
} MeshPath;

/* Builds the path of a mesh file: in meshdir, relative to the folder of the model's first file. */
static void mesh_path(const MjcfReader *r, const char *file, MeshPath *path)
{
    const char *slash = r->strips_paths ? strrchr(file, '/') : NULL;
    const char *name = slash ? slash + 1 : file, *between = *name != '/' && r->mesh_folder ? r->mesh_folder : "";
    const char *folder = *name != '/' && *between != '/' && r->folder ? r->folder : "";
    size_t length = strlen(between), skipped = strlen(folder) + (*folder != 0);
    snprintf(path->text, sizeof path->text, "%s%s%s%s%s", folder, *folder ? "/" : "", between,
             length && between[length - 1] != '/' ? "/" : "", name);
    path->shown = path->text + (skipped < strlen(path->text) ? skipped : 0);
}

/* Returns the format by content_type or extension; -1: neither STL nor OBJ. */
static int find_format(const char *file, const char *type)
{
    static const struct { const char *type, *ending; int format; } formats[] = {
        {"model/stl", ".stl", MESH_STL}, {"model/obj", ".obj", MESH_OBJ}};
    const char *dot = strrchr(file, '.');
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (type ? !strcmp(type, formats[k].type) : dot && !strcasecmp(dot, formats[k].ending))
            return formats[k].format;
    return -1;
}

static int is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Finds the file of a mesh; warns once if it is missing. */
static void find_file(MjcfReader *r, MjcfMesh *m, const char *file, MeshPath *path)
{
    int known = m->is_missing;
    mesh_path(r, file, path);
    m->is_missing = !r->folder || !is_there(path->text);
    if (m->is_missing && !known && !r->status)
        r->status = mjcf_remark(r->remarks, m->element, r->err, "mesh %.60s is left out: %s %.200s", m->name,
                                r->folder ? "no file" : "standard input has no folder for", path->shown);
}

static void error_of_mesh(MjcfReader *r, const MjcfMesh *m, const char *path, Status status, const Error *why)
{
    char line[32] = "";
    if (why->line)
        snprintf(line, sizeof line, "line %d: ", why->line);
    r->status = xml_error(m->element, status, r->err, "%.200s: %s%.200s", path, line, why->text);
}

static void read_file(MjcfReader *r, MjcfMesh *m, const MjcfItem *i, const char *file)
{
    MeshPath path;
    Error why = {0};
    int format = find_format(file, mjcf_text(r, i, "content_type"));
    find_file(r, m, file, &path);
    if (m->is_missing || r->status)
        return;
    if (format < 0) {
        m->is_missing = 1;
        mjcf_leave(r, m->element, "mesh", "mesh %.60s, which is neither STL nor OBJ: %.100s,", m->name, file);
        return;
    }
    Status status = mesh_file_read(path.text, (MeshFormat)format, &r->scratch, &m->triangles, &why);
    if (status)
        error_of_mesh(r, m, path.shown, status, &why);
}

static int count_numbers(const char *text)
{
    int count = 0;
    for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n"), count++)
        text += strcspn(text, " \t\r\n");
    return count;
}

/* Reads the numbers of an attribute in threes; returns the number of triples, 0 if absent or invalid. */
static int read_threes(MjcfReader *r, const MjcfItem *i, const char *name, double **out)
{
    const char *text = mjcf_text(r, i, name);
    int count = text ? count_numbers(text) : 0;
    *out = arena_array(&r->scratch, (size_t)count, 1, sizeof **out);
    if (!*out)
        r->status = error_no_memory(r->err);
    if (!count || r->status)
        return 0;
    if (count % 3)
        mjcf_fail(r, i->element, "%s: expected numbers in threes, found %d", name, count);
    return mjcf_numbers(r, i, name, count, count, *out) / 3;
}

/* Reads vertices and faces from attributes. Without faces, `measure` uses those of the hull. */
static void read_numbers(MjcfReader *r, MjcfMesh *m, const MjcfItem *i)
{
    MeshTriangles *t = &m->triangles;
    double *vertex, *face;
    t->vertex_count = read_threes(r, i, "vertex", &vertex);
    t->face_count = read_threes(r, i, "face", &face);
    t->vertex = arena_array(&r->scratch, (size_t)t->vertex_count, 1, sizeof *t->vertex);
    t->face = arena_array(&r->scratch, (size_t)t->face_count, 1, sizeof *t->face);
    if (r->scratch.failed || r->status)
        return;
    for (int v = 0; v < t->vertex_count; v++)
        t->vertex[v] = vec3_load(vertex + 3 * v);
    for (int f = 0; f < 3 * t->face_count; f++) {
        if (!(face[f] >= 0 && face[f] < t->vertex_count) || face[f] != floor(face[f])) {
            mjcf_fail(r, i->element, "face: there is no vertex %g of %d", face[f], t->vertex_count);
            return;
        }
        t->face[f / 3][f % 3] = (int)face[f];
    }
}

/* Applies refpos, refquat and scale, in this order. */
static void place_vertices(MjcfReader *r, const MjcfItem *i, MeshTriangles *t)
{
    double q[4] = {1, 0, 0, 0};
    Vec3 scale = mjcf_vec3(r, i, "scale", vec3(1, 1, 1)), from = mjcf_vec3(r, i, "refpos", vec3(0, 0, 0));
    mjcf_numbers(r, i, "refquat", 4, 4, q);
    Quat turn = {q[0], q[1], q[2], q[3]};
    if (!(quat_dot(turn, turn) > 1e-20))
        mjcf_fail(r, i->element, "refquat has no length");
    if (r->status)
        return;
    turn = quat_normalize(turn);
    for (int v = 0; v < t->vertex_count; v++) {
        Vec3 at = quat_rotate_inverse(turn, vec3_sub(t->vertex[v], from));
        t->vertex[v] = vec3(scale.x * at.x, scale.y * at.y, scale.z * at.z);
    }
    if (scale.x * scale.y * scale.z >= 0)
        return;
    for (int f = 0; f < t->face_count; f++) { /* mirroring inverts the orientation of faces */
        int other = t->face[f][1];
        t->face[f][1] = t->face[f][2];
        t->face[f][2] = other;
    }
}

/* Computes the convex hull about the origin; an error if all vertices are in a plane. */
static void make_hull(MjcfReader *r, MjcfMesh *m, Vec3 origin)
{
    Error why = {0};
    ModelMesh *hull = &r->model->mesh[r->model->mesh_count];
    Status status = mesh_hull(m->triangles.vertex, m->triangles.vertex_count, origin, &r->model->memory, hull, &why);
    if (status)
        r->status = xml_error(m->element, status, r->err, "mesh %.60s: %s", m->name, why.text);
    else
        m->hull = r->model->mesh_count++;
    hull->name = mjcf_copy(r, m->name);
}

static MeshInertia inertia_mode(MjcfReader *r, const MjcfItem *i)
{
    static const char *const modes[] = {"legacy", "exact", "convex", "shell", NULL};
    _Static_assert(sizeof modes / sizeof *modes == MESH_INERTIA_COUNT + 1, "a word for every MeshInertia");
    return (MeshInertia)mjcf_word(r, i, "inertia", modes, r->exact_meshes ? MESH_EXACT : MESH_LEGACY);
}

/* Computes volume and inertia at density 1, and the hull about the centre of mass. */
static void measure(MjcfReader *r, MjcfMesh *m, const MjcfItem *i)
{
    MeshInertia mode = inertia_mode(r, i);
    MeshTriangles own = m->triangles;
    if (r->status)
        return;
    m->moments = mesh_moments(&own, mode);
    make_hull(r, m, mode == MESH_CONVEX || own.face_count == 0 ? vec3(0, 0, 0) : m->moments.com);
    if (r->status)
        return;
    ModelMesh *hull = &r->model->mesh[m->hull];
    if (mode == MESH_CONVEX || own.face_count == 0) {
        MeshTriangles shown = {hull->vertex_count, hull->face_count, hull->vertex, hull->face};
        m->moments = mesh_moments(&shown, MESH_EXACT);
        hull->reach = 0;
        for (int v = 0; v < hull->vertex_count; v++) {
            hull->vertex[v] = vec3_sub(hull->vertex[v], m->moments.com);
            hull->reach = fmax(hull->reach, vec3_norm(hull->vertex[v]));
        }
    }
    if (!(m->moments.volume > 1e-14))
        mjcf_fail(r, m->element, "mesh %.60s encloses nothing: its faces may look inwards", m->name);
}

static MjcfMesh *find_mesh(MjcfReader *r, const XmlElement *geom, const char *name)
{
    for (int i = 0; i < r->mesh_count; i++)
        if (!strcmp(r->mesh[i].name, name))
            return &r->mesh[i];
    mjcf_fail(r, geom, "mesh=\"%.60s\": not found", name);
    return NULL;
}

MjcfMesh *mjcf_mesh(MjcfReader *r, const XmlElement *geom, const char *name)
{
    MjcfMesh *m = find_mesh(r, geom, name);
    if (!m || m->is_read)
        return m;
    m->is_read = 1;
    MjcfItem i = mjcf_item(r, m->element, "mesh");
    const char *file = mjcf_text(r, &i, "file");
    if (r->status)
        return m;
    if (file)
        read_file(r, m, &i, file);
    else
        read_numbers(r, m, &i);
    if (m->is_missing || r->status)
        return m;
    place_vertices(r, &i, &m->triangles);
    measure(r, m, &i);
    return m;
}

void mjcf_look_for_mesh(MjcfReader *r, const XmlElement *geom, const char *name)
{
    MjcfMesh *m = find_mesh(r, geom, name);
    const char *file = m ? xml_attribute(m->element, "file") : NULL;
    MeshPath path;
    if (file && !m->is_read && !m->is_missing)
        find_file(r, m, file, &path);
}
