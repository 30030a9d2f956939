/* See frames_scan.h. */
#include "formats/frames/frames_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/joint_series.h"

static Status read_times(FramesSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ROOT, "time");
    if (!container_reader_has(s->reader, dataset))
        return error_set(err, STATUS_BAD_INPUT, "/time is missing");
    if (!(s->time = calloc((size_t)s->frame_count + 1, sizeof *s->time)))
        return error_no_memory(err);
    Status status = container_reader_rows(s->reader, dataset, 0, s->frame_count, s->time, err);
    for (int f = 1; f < s->frame_count && !status; f++)
        if (s->time[f] <= s->time[f - 1])
            status = error_set(err, STATUS_BAD_INPUT, "/time does not grow at frame %d", f);
    return status;
}

static Status read_names(FramesSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ROOT, "joint");
    const char *text = container_reader_has(s->reader, dataset) ? container_reader_labels(s->reader, dataset) : NULL;
    if (!text)
        return error_set(err, STATUS_BAD_INPUT, "/joint is missing or damaged");
    if (!(s->name = calloc((size_t)s->joint_count + 1, sizeof *s->name)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++, text += strlen(text) + 1)
        s->name[j] = text;
    return STATUS_OK;
}

static Status read_roles(FramesSource *s, Error *err)
{
    int dataset = schema_find(GROUP_SKELETON, "role");
    const char *text = container_reader_has(s->reader, dataset) ? container_reader_labels(s->reader, dataset) : NULL;
    if (!text)
        return error_set(err, STATUS_BAD_INPUT, "/skeleton/role is missing or damaged");
    if (!(s->role = calloc((size_t)s->joint_count + 1, sizeof *s->role)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++, text += strlen(text) + 1) {
        s->role[j] = role_from_name(text);
        if (s->role[j] == ROLE_NONE && *text)
            return error_set(err, STATUS_BAD_INPUT, "/skeleton/role: unknown role");
    }
    return STATUS_OK;
}

/* Reads one row per joint of /skeleton or /body; out stays zero if the file lacks the array. */
static Status read_joints(FramesSource *s, SchemaGroupId group, const char *name, double *out, Error *err)
{
    int dataset = schema_find(group, name);
    return container_reader_has(s->reader, dataset)
               ? container_reader_rows(s->reader, dataset, 0, s->joint_count, out, err) : STATUS_OK;
}

/* Finds the joints that carry the residual of the floating base, from a clip with only the data that
 * joint_carries_residual requires. */
static Status read_base(FramesSource *s, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)s->joint_count;
    double *parent = arena_array(&arena, joints, 1, sizeof *parent);
    double *mass = arena_array(&arena, joints, 1, sizeof *mass);
    int *above = arena_array(&arena, joints, 1, sizeof *above);
    s->is_base = calloc(joints + 1, 1);
    Status status = arena.failed || !s->is_base ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = read_joints(s, GROUP_SKELETON, "parent", parent, err);
    if (!status)
        status = read_joints(s, GROUP_BODY, "mass", mass, err);
    for (int j = 0; j < s->joint_count && !status; j++) {
        above[j] = (int)parent[j];
        if (!(parent[j] >= -1 && parent[j] < j))
            status = error_set(err, STATUS_BAD_INPUT, "/skeleton/parent is not a tree");
    }
    Clip clip = {.skeleton = {.joint_count = s->joint_count, .parent = above, .role = s->role}, .body.mass = mass,
                 .has_body = container_reader_has(s->reader, schema_find(GROUP_BODY, "mass"))};
    for (int j = 0; j < s->joint_count && !status; j++)
        s->is_base[j] = (unsigned char)joint_carries_residual(&clip, j);
    arena_free(&arena);
    return status;
}

static Status read_points(FramesSource *s, Error *err)
{
    int dataset = schema_find(GROUP_CONTACT, "point_joint");
    if (s->point_count == 0 || !container_reader_has(s->reader, dataset))
        return STATUS_OK;
    if (!(s->point_joint = calloc((size_t)s->point_count, sizeof *s->point_joint)))
        return error_no_memory(err);
    Status status = container_reader_rows(s->reader, dataset, 0, s->point_count, s->point_joint, err);
    for (int p = 0; p < s->point_count && !status; p++)
        if (!(s->point_joint[p] >= 0 && s->point_joint[p] < s->joint_count))
            status = error_set(err, STATUS_BAD_INPUT, "/contact/point_joint: unknown joint");
    return status;
}

/* Finds the first coordinate of each joint; its three coordinates are consecutive. */
static Status read_coordinates(FramesSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ANGLES, "joint_index");
    int count = container_reader_has(s->reader, dataset) ? container_reader_size(s->reader, DIM_COORDINATE) : 0;
    double joint[COORDINATE_COUNT];
    if (!(s->first_coordinate = calloc((size_t)s->joint_count + 1, sizeof *s->first_coordinate)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++)
        s->first_coordinate[j] = -1;
    if (count <= 0)
        return STATUS_OK;
    if (count > COORDINATE_COUNT || count > COORDINATES_PER_JOINT * s->joint_count || count % COORDINATES_PER_JOINT)
        return error_set(err, STATUS_BAD_INPUT, "/angles has %d coordinates", count);
    Status status = container_reader_rows(s->reader, dataset, 0, count, joint, err);
    for (int i = count - COORDINATES_PER_JOINT; i >= 0 && !status; i -= COORDINATES_PER_JOINT) {
        if (!(joint[i] >= 0 && joint[i] < s->joint_count))
            return error_set(err, STATUS_BAD_INPUT, "/angles/joint_index: unknown joint");
        s->first_coordinate[(int)joint[i]] = i;
    }
    s->coordinate_count = count;
    return status;
}

static Status read_source(const char *path, FramesSource *s, Error *err)
{
    Status status = container_reader_open(path, &s->reader, err);
    if (status)
        return status;
    s->frame_count = container_reader_size(s->reader, DIM_FRAME);
    s->joint_count = container_reader_size(s->reader, DIM_JOINT);
    s->point_count = container_reader_size(s->reader, DIM_POINT);
    if ((status = read_times(s, err)) ||
        (status = read_names(s, err)) ||
        (status = read_roles(s, err)) ||
        (status = read_base(s, err)) ||
        (status = read_points(s, err)))
        return status;
    return read_coordinates(s, err);
}

Status frames_source_open(const char *path, FramesSource **out, Error *err)
{
    FramesSource *s = *out = calloc(1, sizeof *s);
    if (!s)
        return error_no_memory(err);
    s->users = 1;
    Status status = read_source(path, s, err);
    if (status) {
        frames_source_release(s);
        *out = NULL;
    }
    return status;
}

void frames_source_release(FramesSource *s)
{
    if (!s || --s->users > 0)
        return;
    container_reader_close(s->reader);
    free(s->time);
    free(s->name);
    free(s->role);
    free(s->is_base);
    free(s->point_joint);
    free(s->first_coordinate);
    free(s);
}

/* Rows of a block, so that its columns fit in the L2 cache, and the largest count of values read per block. */
enum { BLOCK_ROWS = 4096, BLOCK_NUMBERS = 131072 };

/* Vector arrays and the first of the four columns that each fills. */
typedef struct VectorArray {
    SchemaGroupId group;
    const char *name;
    FrameColumn first;
} VectorArray;

static const VectorArray vectors[] = {
    {GROUP_DYNAMICS, "torque", FRAME_TORQUE_X},
    {GROUP_KINEMATICS, "angular_velocity", FRAME_ANGULAR_X},
    {GROUP_CONTACT, "force", FRAME_CONTACT_X},
};

/* Arrays with one value per row of the table, or per frame. */
typedef Status ReadNumber(FramesScan *scan, int frames, Error *err);
typedef struct NumberArray {
    SchemaGroupId group;
    const char *name;
    FrameColumn column;
    ReadNumber *read;
} NumberArray;

static ReadNumber read_power, read_residual, read_valid, read_trusted;
static const NumberArray numbers[] = {
    {GROUP_DYNAMICS, "power", FRAME_POWER, read_power},
    {GROUP_DYNAMICS, "residual_torque", FRAME_RESIDUAL, read_residual},
    {GROUP_KINEMATICS, "valid", FRAME_VALID, read_valid},
    {GROUP_TRUST, "trusted", FRAME_TRUSTED, read_trusted},
};
/* Arrays with one value per coordinate, and the first of the three columns that each fills. */
static const struct {
    const char *name;
    FrameColumn first;
} coordinate_arrays[] = {{"angle", FRAME_ANGLE}, {"moment", FRAME_MOMENT}, {"utilization", FRAME_USE}};
enum { COORDINATE_ARRAYS = sizeof coordinate_arrays / sizeof *coordinate_arrays };
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };

enum { VECTOR_COUNT = sizeof vectors / sizeof *vectors, VECTOR_COLUMNS = 4 };

FramesScanDef frames_scan_default_def(void)
{
    return (FramesScanDef){.time_from = -INFINITY, .time_to = INFINITY, .frame_from = -INFINITY, .frame_to = INFINITY};
}

/* Returns the first frame with time >= t, or with time > t if is_after. */
static int frame_at(const FramesSource *s, double t, int is_after)
{
    int low = 0, high = s->frame_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->time[middle] < t || (is_after && s->time[middle] <= t))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void choose_frames(FramesScan *scan, const FramesScanDef *def)
{
    const FramesSource *s = scan->source;
    int from = frame_at(s, def->time_from, 0), to = frame_at(s, def->time_to, 1);
    if (def->frame_from > from)
        from = def->frame_from < to ? (int)ceil(def->frame_from) : to;
    if (def->frame_to < to)
        to = def->frame_to >= 0 ? (int)floor(def->frame_to) + 1 : 0;
    scan->next = from;
    scan->end = scan->joint_count > 0 ? to : 0;
}

static Status choose_joints(FramesScan *scan, const FramesScanDef *def, Error *err)
{
    const FramesSource *s = scan->source;
    if (!(scan->joint = calloc((size_t)s->joint_count + 1, sizeof *scan->joint)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++) {
        int is_role = !def->role || (s->role[j] != ROLE_NONE && strcmp(role_name(s->role[j]), def->role) == 0);
        if (is_role && (!def->joint || strcmp(s->name[j], def->joint) == 0))
            scan->joint[scan->joint_count++] = j;
    }
    return STATUS_OK;
}

/* Returns 1 if the file has the array. Point forces also require the joints of the points. */
static int has_array(const FramesScan *scan, SchemaGroupId group, const char *name)
{
    return container_reader_has(scan->source->reader, schema_find(group, name)) &&
           (group != GROUP_CONTACT || scan->source->point_joint);
}

static int has_coordinates(const FramesScan *scan, int array)
{
    return (scan->columns >> FRAME_PATH & 1) && scan->source->coordinate_count > 0 &&
           has_array(scan, GROUP_ANGLES, coordinate_arrays[array].name);
}

/* Allocates the wanted ones of adjacent columns. */
static Status add_columns(FramesScan *scan, FrameColumn first, int count, Error *err)
{
    size_t rows = (size_t)scan->capacity * (size_t)scan->joint_count;
    for (int c = first; c < (int)first + count; c++)
        if ((c > FRAME_PATH || scan->columns >> c & 1) && !(scan->column[c] = malloc((rows + 1) * sizeof(double))))
            return error_no_memory(err);
    return STATUS_OK;
}

static Status allocate(FramesScan *scan, Error *err)
{
    const FramesSource *s = scan->source;
    long in_frame = 3L * (s->joint_count > s->point_count ? s->joint_count : s->point_count) + 1;
    long frames = scan->joint_count > 0 ? BLOCK_ROWS / scan->joint_count : 1, max = BLOCK_NUMBERS / in_frame;
    long wanted = scan->end > scan->next ? scan->end - scan->next : 1;
    frames = frames < max ? frames : max;
    scan->capacity = (int)(frames < 1 ? 1 : frames < wanted ? frames : wanted);
    Status status = add_columns(scan, FRAME_TIME, 1, err);
    for (int v = 0; v < VECTOR_COUNT && !status; v++)
        if (has_array(scan, vectors[v].group, vectors[v].name))
            status = add_columns(scan, vectors[v].first, VECTOR_COLUMNS, err);
    for (int n = 0; n < NUMBER_COUNT && !status; n++)
        if (has_array(scan, numbers[n].group, numbers[n].name))
            status = add_columns(scan, numbers[n].column, 1, err);
    for (int a = 0; a < COORDINATE_ARRAYS && !status; a++)
        if (has_coordinates(scan, a))
            status = add_columns(scan, coordinate_arrays[a].first, COORDINATES_PER_JOINT, err);
    if (!status && !(scan->raw = malloc((size_t)scan->capacity * (size_t)in_frame * 2 * sizeof *scan->raw)))
        status = error_no_memory(err);
    return status;
}

Status frames_scan_init(FramesScan *scan, FramesSource *source, const FramesScanDef *def, Error *err)
{
    *scan = (FramesScan){.source = source, .columns = def->columns};
    source->users++;
    Status status = choose_joints(scan, def, err);
    if (!status) {
        choose_frames(scan, def);
        status = allocate(scan, err);
    }
    if (status)
        frames_scan_free(scan);
    return status;
}

void frames_scan_free(FramesScan *scan)
{
    for (int c = 0; c < FRAME_COLUMN_COUNT; c++)
        free(scan->column[c]);
    free(scan->raw);
    free(scan->joint);
    frames_source_release(scan->source);
    *scan = (FramesScan){0};
}

/* Repeats one value per frame for all its joints. */
static void repeat(double *column, const double *value, int frames, int joints)
{
    for (int f = 0; f < frames; f++)
        for (int s = 0; s < joints; s++)
            *column++ = value[f];
}

/* Moves the values of the wanted joints together, in place; width: values per joint. */
static void keep_joints(const FramesScan *scan, double *raw, int frames, int width)
{
    size_t row = (size_t)scan->source->joint_count * (size_t)width;
    double *to = raw;
    if (scan->joint_count == scan->source->joint_count)
        return;
    for (int f = 0; f < frames; f++)
        for (int s = 0; s < scan->joint_count; s++, to += width)
            memmove(to, raw + (size_t)f * row + (size_t)scan->joint[s] * (size_t)width,
                    (size_t)width * sizeof *raw);
}

/* Sums the point forces per wanted joint. */
static void sum_points(const FramesScan *scan, const double *force, double *sum, int frames)
{
    const FramesSource *source = scan->source;
    int joints = scan->joint_count, points = source->point_count;
    memset(sum, 0, (size_t)frames * (size_t)joints * 3 * sizeof *sum);
    for (int p = 0; p < points; p++)
        for (int s = 0; s < joints; s++) {
            if (scan->joint[s] != (int)source->point_joint[p])
                continue;
            for (int f = 0; f < frames; f++)
                for (int k = 0; k < 3; k++)
                    sum[((size_t)f * (size_t)joints + (size_t)s) * 3 + (size_t)k] +=
                        force[((size_t)f * (size_t)points + (size_t)p) * 3 + (size_t)k];
        }
}

static void split(double *const column[VECTOR_COLUMNS], const double *vector, size_t rows)
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rows && column[k]; i++)
            column[k][i] = vector[3 * i + (size_t)k];
    for (size_t i = 0; i < rows && column[3]; i++) {
        const double *v = vector + 3 * i;
        column[3][i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

/* Keeps a column only for the floating base, or only for the other joints; the rest becomes NaN. */
static void keep_kind(const FramesScan *scan, double *column, int frames, int is_base)
{
    for (int f = 0; f < frames && column; f++)
        for (int s = 0; s < scan->joint_count; s++, column++)
            *column = scan->source->is_base[scan->joint[s]] == is_base ? *column : NAN;
}

static Status read_vectors(FramesScan *scan, const VectorArray *array, int frames, Error *err)
{
    int is_contact = array->group == GROUP_CONTACT;
    size_t rows = (size_t)frames * (size_t)scan->joint_count;
    double *sum = scan->raw + (size_t)frames * (size_t)scan->source->point_count * 3;
    Status status = container_reader_rows(scan->source->reader, schema_find(array->group, array->name), scan->first,
                                          frames, scan->raw, err);
    if (status)
        return status;
    if (is_contact)
        sum_points(scan, scan->raw, sum, frames);
    else
        keep_joints(scan, scan->raw, frames, 3);
    split(scan->column + array->first, is_contact ? sum : scan->raw, rows);
    for (int k = 0; k < VECTOR_COLUMNS && array->group == GROUP_DYNAMICS; k++)
        keep_kind(scan, scan->column[(int)array->first + k], frames, 0);
    return STATUS_OK;
}

static int is_filled(const FramesScan *scan, const VectorArray *array)
{
    for (int k = 0; k < VECTOR_COLUMNS; k++)
        if (scan->column[(int)array->first + k])
            return 1;
    return 0;
}

static Status read_rows(FramesScan *scan, SchemaGroupId group, const char *name, int frames, Error *err)
{
    return container_reader_rows(scan->source->reader, schema_find(group, name), scan->first, frames, scan->raw, err);
}

static Status read_power(FramesScan *scan, int frames, Error *err)
{
    size_t rows = (size_t)frames * (size_t)scan->joint_count;
    Status status = read_rows(scan, GROUP_DYNAMICS, "power", frames, err);
    if (status)
        return status;
    keep_joints(scan, scan->raw, frames, 1);
    memcpy(scan->column[FRAME_POWER], scan->raw, rows * sizeof *scan->raw);
    keep_kind(scan, scan->column[FRAME_POWER], frames, 0);
    return STATUS_OK;
}

static Status read_residual(FramesScan *scan, int frames, Error *err)
{
    double *const length[VECTOR_COLUMNS] = {[3] = scan->raw};
    Status status = read_rows(scan, GROUP_DYNAMICS, "residual_torque", frames, err);
    if (status)
        return status;
    split(length, scan->raw, (size_t)frames); /* in place: each length is stored before the next vector is read */
    repeat(scan->column[FRAME_RESIDUAL], scan->raw, frames, scan->joint_count);
    keep_kind(scan, scan->column[FRAME_RESIDUAL], frames, 1);
    return STATUS_OK;
}

static Status read_valid(FramesScan *scan, int frames, Error *err)
{
    Status status = read_rows(scan, GROUP_KINEMATICS, "valid", frames, err);
    if (!status)
        repeat(scan->column[FRAME_VALID], scan->raw, frames, scan->joint_count);
    return status;
}

/* Combines the flags of the frame and of the joint. */
static Status read_trusted(FramesScan *scan, int frames, Error *err)
{
    double *trusted = scan->column[FRAME_TRUSTED];
    Status status = read_rows(scan, GROUP_TRUST, "trusted", frames, err);
    if (status)
        return status;
    repeat(trusted, scan->raw, frames, scan->joint_count);
    if (!container_reader_has(scan->source->reader, schema_find(GROUP_TRUST, "joint_reason")))
        return STATUS_OK;
    status = read_rows(scan, GROUP_TRUST, "joint_reason", frames, err);
    keep_joints(scan, scan->raw, frames, 1);
    for (int i = 0; i < frames * scan->joint_count && !status; i++)
        trusted[i] = scan->raw[i] != 0 ? 0 : trusted[i];
    return status;
}

/* Reads angles, moments or utilization; NaN for joints without coordinates. */
static Status read_coordinate_array(FramesScan *scan, int array, int frames, Error *err)
{
    const FramesSource *source = scan->source;
    Status status = read_rows(scan, GROUP_ANGLES, coordinate_arrays[array].name, frames, err);
    for (int k = 0; k < COORDINATES_PER_JOINT && !status; k++) {
        double *column = scan->column[(int)coordinate_arrays[array].first + k];
        for (int f = 0; f < frames; f++)
            for (int s = 0; s < scan->joint_count; s++) {
                int first = source->first_coordinate[scan->joint[s]];
                *column++ = first < 0 ? NAN
                                      : scan->raw[(size_t)f * (size_t)source->coordinate_count + (size_t)(first + k)];
            }
    }
    return status;
}

Status frames_scan_next(FramesScan *scan, Error *err)
{
    int left = scan->end - scan->next, frames = left < scan->capacity ? left : scan->capacity;
    Status status = STATUS_OK;
    scan->row_count = 0;
    if (frames <= 0)
        return STATUS_OK;
    scan->first = scan->next;
    if (scan->column[FRAME_TIME])
        repeat(scan->column[FRAME_TIME], scan->source->time + scan->first, frames, scan->joint_count);
    for (int v = 0; v < VECTOR_COUNT && !status; v++)
        if (is_filled(scan, &vectors[v]))
            status = read_vectors(scan, &vectors[v], frames, err);
    for (int n = 0; n < NUMBER_COUNT && !status; n++)
        if (scan->column[numbers[n].column])
            status = numbers[n].read(scan, frames, err);
    for (int a = 0; a < COORDINATE_ARRAYS && !status; a++)
        if (scan->column[coordinate_arrays[a].first])
            status = read_coordinate_array(scan, a, frames, err);
    if (status)
        return status;
    scan->next += frames;
    scan->row_count = frames * scan->joint_count;
    return STATUS_OK;
}
