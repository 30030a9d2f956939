/* FBX files of several programs: joints and end sites are where an independent reader has the bones, at the file's own
 * frames (*.ref.tsv beside them); files without a motion of bones are refused with a sentence. */
#include "tests/support/test.h"

#include "pipeline/stages/import.h"
#include "tests/support/manifest_clip.h"

static int is_here(const char *name, const char *ending, char path[1024])
{
    snprintf(path, 1024, "%s/doors/scene/%s%s", shared_folder(), name, ending);
    return access(path, R_OK) == 0;
}

/* The positions of one bone in one frame. */
typedef struct Row {
    int frame;
    char bone[128];
    Vec3 at;
} Row;

enum { MAX_ROWS = 20000 };

/* Reads a table, in metres; *size: the diagonal of the box around all positions. */
static int read_rows(const char *path, Row *rows, double *size)
{
    static char line[512];
    double unit = 0;
    int count = 0;
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_neg(low);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, ", unit "));
    assert_int_equal(sscanf(strstr(line, ", unit "), ", unit %lf m", &unit), 1);
    while (count < MAX_ROWS && fgets(line, sizeof line, file)) {
        Row *row = &rows[count];
        if (sscanf(line, "%d\t%127[^\t]\t%lf\t%lf\t%lf", &row->frame, row->bone, &row->at.x, &row->at.y,
                   &row->at.z) != 5)
            continue;
        row->at = vec3_scale(row->at, unit);
        low = vec3(fmin(low.x, row->at.x), fmin(low.y, row->at.y), fmin(low.z, row->at.z));
        high = vec3(fmax(high.x, row->at.x), fmax(high.y, row->at.y), fmax(high.z, row->at.z));
        count++;
    }
    fclose(file);
    *size = vec3_distance(low, high);
    return count;
}

/* Positions of the joints, then of the end sites, in a frame. */
static void place_all(const Clip *clip, int frame, Vec3 *point)
{
    const Skeleton *s = &clip->skeleton;
    const Motion *m = &clip->motion;
    static Vec3 position[256];
    static Quat orientation[256];
    for (int j = 0; j < s->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        int parent = s->parent[j];
        Vec3 offset = m->translation ? m->translation[at] : s->offset[j];
        orientation[j] = parent < 0 ? m->rotation[at] : quat_mul(orientation[parent], m->rotation[at]);
        position[j] = parent < 0 ? m->root_position[frame]
                                 : vec3_add(position[parent], quat_rotate(orientation[parent], offset));
    }
    skeleton_points(s, position, orientation, point);
}

/* Distance of a row to the joint of its name, or to the nearest end site for the end of a bone. */
static double distance_to(const Clip *clip, const Vec3 *point, const Row *row)
{
    const Skeleton *s = &clip->skeleton;
    int joint = skeleton_find(s, row->bone);
    double nearest = INFINITY;
    if (joint >= 0)
        return vec3_distance(point[joint], row->at);
    for (int e = 0; e < s->end_count && strcasestr(row->bone, "_end"); e++)
        nearest = fmin(nearest, vec3_distance(point[s->joint_count + e], row->at));
    return nearest;
}

static void compare(const char *name)
{
    static Row rows[MAX_ROWS];
    Vec3 point[512];
    char path[1024], table[1024];
    ImportOptions given = import_defaults();
    Clip clip = {0};
    Error err = {0};
    double size, largest = 0;
    if (!is_here(name, ".fbx", path) || !is_here(name, ".ref.tsv", table))
        skip();
    if (import_judge(&given, path, &clip, NULL, &err))
        fail_msg("%s: %s", name, err.text);
    int count = read_rows(table, rows, &size), last = -1;
    assert_true(count > 50 && clip.skeleton.joint_count < 256);
    for (int i = 0; i < count; i++) {
        assert_true(rows[i].frame < clip.motion.frame_count);
        if (rows[i].frame != last)
            place_all(&clip, last = rows[i].frame, point);
        double distance = distance_to(&clip, point, &rows[i]);
        largest = fmax(largest, distance);
        if (!(distance < 1e-4 * size))
            fail_msg("%s: frame %d, %s: %g m off", name, rows[i].frame, rows[i].bone, distance);
    }
    print_message("%s: within %.1e of its size\n", name, largest / size);
    clip_free(&clip);
}

TEST(bones_of_mixamo_files_are_in_place)
{
    (void)state;
    compare("mixamo__Jab_Cross");
    compare("mixamo__Sit_To_Stand");
    compare("mixamo__Soccer_Pass");
}

TEST(bones_of_blender_and_maya_files_are_in_place)
{
    (void)state;
    compare("animation_with_skeleton");
    compare("blender_293_barbarian_7400_binary");
    compare("maya_kenney_character_7700_binary");
}

TEST(scale_that_does_not_shear_puts_bones_in_place)
{
    (void)state;
    compare("motionbuilder_sausage_rrss_7700_binary");
}

static void expect_refusal(const char *name, const char *words)
{
    char path[1024];
    ImportOptions given = import_defaults();
    Clip clip = {0};
    Error err = {0};
    if (!is_here(name, ".fbx", path))
        skip();
    assert_int_equal(import_judge(&given, path, &clip, NULL, &err), STATUS_BAD_INPUT);
    if (!strstr(err.text, words))
        fail_msg("%s: %s", name, err.text);
}

TEST(files_without_motion_of_bones_are_refused_with_the_remedy)
{
    (void)state;
    expect_refusal("maya_human_ik_6100_binary", "FBX 6.1 is too old: convert it");
    expect_refusal("maya_human_ik_7400_ascii", "HumanIK");
    expect_refusal("maya_character_7500_binary", "no animation of a skeleton: export it");
}
