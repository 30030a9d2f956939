/* formats/model/mjcf_mesh, analysis/model/model under libFuzzer: no file crashes them; accepted meshes are finite and
 * in range, and their hull is closed and contains all vertices. The first byte selects the format. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/model/mesh_file.h"

#define CLOSE 1e-6 /* relative to the size of the hull */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_triangles(const MeshTriangles *m)
{
    for (int v = 0; v < m->vertex_count; v++)
        require(isfinite(m->vertex[v].x) && isfinite(m->vertex[v].y) && isfinite(m->vertex[v].z));
    for (int f = 0; f < m->face_count; f++)
        for (int k = 0; k < 3; k++)
            require(m->face[f][k] >= 0 && m->face[f][k] < m->vertex_count);
}

/* Each edge of a closed triangulated surface is part of two triangles: 2 E = 3 F and V - E + F = 2. */
static void check_hull(const ModelMesh *hull, const MeshTriangles *m)
{
    require(hull->vertex_count >= 4 && hull->vertex_count <= m->vertex_count);
    require(2 * hull->vertex_count - hull->face_count == 4);
    for (int f = 0; f < hull->face_count; f++) {
        for (int k = 0; k < 3; k++)
            require(hull->face[f][k] >= 0 && hull->face[f][k] < hull->vertex_count);
        require(fabs(vec3_norm(hull->normal[f]) - 1) < 1e-9);
        double out = vec3_dot(hull->normal[f], hull->vertex[hull->face[f][0]]);
        for (int v = 0; v < m->vertex_count; v++)
            require(vec3_dot(hull->normal[f], m->vertex[v]) <= out + CLOSE * hull->reach);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena memory = {0};
    MeshTriangles m = {0};
    ModelMesh hull = {0};
    Error err = {0};
    if (size == 0)
        return 0;
    MeshFormat format = data[0] & 1 ? MESH_OBJ : MESH_STL;
    Status status = mesh_file_parse((const char *)data + 1, size - 1, format, &memory, &m, &err);
    if (status) {
        require(err.text[0] != 0);
    } else {
        check_triangles(&m);
        for (int mode = 0; mode < MESH_INERTIA_COUNT; mode++)
            if (mode != MESH_CONVEX)
                mesh_moments(&m, (MeshInertia)mode);
        if (mesh_hull(m.vertex, m.vertex_count, vec3(0, 0, 0), &memory, &hull, &err) == STATUS_OK)
            check_hull(&hull, &m);
    }
    arena_free(&memory);
    return 0;
}
