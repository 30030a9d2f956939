#include "formats/picture/contact_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"

#define ELEVATION 0.2   /* rad that the view is from above */
#define ROOM 1.5        /* of the body's height: what a frame's side shows */
#define GROUND_AT 0.86  /* of a frame's side from above: where the ground under the hips is */
#define LOW_SHARE 0.02  /* of frames that are lower than the ground that is drawn */

static const Colour paper = {250, 250, 248}, frame_line = {215, 215, 210}, ground_ink = {190, 200, 185},
                    ink = {90, 90, 90};
static const Colour side_ink[3] = {{110, 110, 115}, {205, 60, 50}, {45, 95, 200}}; /* middle, left, right */

SheetDef sheet_default_def(void) { return (SheetDef){.frames = 12, .columns = 6, .size = 200, .angle = 35}; }

/* A clip at work. */
typedef struct Shown {
    const Clip *clip;
    Vec3 *position; /* [frame][joint] */
    double ground;  /* m */
    double height;  /* m, of the body */
} Shown;

/* Of a view: where a place lies in a frame, in metres to the right and up. */
typedef struct View {
    Vec3 right, up;
} View;

static View view_of(double degrees)
{
    double sine, cosine, above, level;
    elementary_sincos(degrees * PI / 180, &sine, &cosine);
    elementary_sincos(ELEVATION, &above, &level);
    return (View){vec3(cosine, 0, -sine), vec3(-above * sine, level, -above * cosine)};
}

static int side_of(const Skeleton *s, int joint)
{
    Role role = s->segment[joint];
    return role_mirror(role) == role ? 0 : role < ROLE_RIGHT_CLAVICLE ? 1 : 2;
}

/* World place of an end site. */
static Vec3 end_place(const Shown *s, const Quat *orientation, int frame, int end)
{
    size_t at = (size_t)frame * (size_t)s->clip->skeleton.joint_count + (size_t)s->clip->skeleton.end_parent[end];
    return vec3_add(s->position[at], quat_rotate(orientation[at], s->clip->skeleton.end_offset[end]));
}

/* The ground is what is low in most frames, the height that of the tallest one. */
static void measure(Shown *s, double *low)
{
    int frames = s->clip->motion.frame_count, joints = s->clip->skeleton.joint_count;
    for (int f = 0; f < frames; f++) {
        double least = INFINITY, most = -INFINITY;
        for (int j = 0; j < joints; j++) {
            double y = s->position[(size_t)f * (size_t)joints + (size_t)j].y;
            least = fmin(least, y);
            most = fmax(most, y);
        }
        low[f] = least;
        s->height = fmax(s->height, most - least);
    }
    s->ground = s->clip->has_contact ? s->clip->contact.ground_height : track_percentile(low, frames, LOW_SHARE);
}

/* Where a place is in the frame whose upper left corner is given. */
static Spot spot_of(const Shown *s, const View *view, const SheetDef *def, Spot corner, Vec3 from)
{
    double scale = def->size / (ROOM * fmax(s->height, 1e-6));
    return (Spot){corner.x + 0.5 * def->size + scale * vec3_dot(view->right, from),
                  corner.y + GROUND_AT * def->size - scale * vec3_dot(view->up, from)};
}

static void draw_frame(const Shown *s, const Quat *orientation, int frame, const SheetDef *def, Spot corner,
                       Raster *out)
{
    const Skeleton *k = &s->clip->skeleton;
    const Vec3 *x = s->position + (size_t)frame * (size_t)k->joint_count;
    View view = view_of(def->angle);
    Vec3 base = vec3(x[0].x, s->ground, x[0].z);
    double width = fmax(1.5, def->size / 70.0);
    char time[32];
    raster_box(out, corner, def->size, 1, frame_line);
    raster_box(out, corner, 1, def->size, frame_line);
    raster_line(out, (Spot){corner.x + 4, corner.y + GROUND_AT * def->size},
                (Spot){corner.x + def->size - 4, corner.y + GROUND_AT * def->size}, 1, ground_ink);
    for (int side = 0; side < 3; side++) {
        for (int j = 1; j < k->joint_count; j++)
            if (side_of(k, j) == side)
                raster_line(out, spot_of(s, &view, def, corner, vec3_sub(x[k->parent[j]], base)),
                            spot_of(s, &view, def, corner, vec3_sub(x[j], base)), width, side_ink[side]);
        for (int e = 0; e < k->end_count; e++)
            if (side_of(k, k->end_parent[e]) == side)
                raster_line(out, spot_of(s, &view, def, corner, vec3_sub(x[k->end_parent[e]], base)),
                            spot_of(s, &view, def, corner, vec3_sub(end_place(s, orientation, frame, e), base)),
                            0.7 * width, side_ink[side]);
    }
    snprintf(time, sizeof time, "%.2f s", s->clip->motion.time[frame]);
    raster_text(out, (Spot){corner.x + 6, corner.y + def->size - 14}, 1.5, time, ink);
}

/* All frames of one clip, from a row of the sheet on; rows of several clips alternate. */
static Status draw_clip(const Clip *clip, const SheetDef *def, int row, int row_step, Raster *out, Error *err)
{
    Arena arena = {0};
    int frames = clip->motion.frame_count;
    size_t count = (size_t)frames, joints = (size_t)clip->skeleton.joint_count;
    Shown shown = {.clip = clip, .position = arena_array(&arena, count, joints, sizeof *shown.position)};
    Quat *orientation = arena_array(&arena, count, joints, sizeof *orientation);
    double *low = arena_array(&arena, count, 1, sizeof *low);
    ClipView view = {.skeleton = &clip->skeleton, .motion = &clip->motion};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&view, LANES_SCALAR, &(WorldPoses){shown.position, orientation, NULL}, err);
    if (!status)
        measure(&shown, low);
    for (int i = 0; i < def->frames && !status; i++) {
        int frame = def->frames > 1 ? (int)((double)i * (frames - 1) / (def->frames - 1) + 0.5) : 0;
        int line = row + i / def->columns * row_step;
        Spot corner = {i % def->columns * (double)def->size, line * (double)def->size};
        draw_frame(&shown, orientation, frame, def, corner, out);
    }
    arena_free(&arena);
    return status;
}

Status contact_sheet_draw(const Clip *const *clip, int clip_count, const SheetDef *def, Raster *out, Error *err)
{
    int rows = (def->frames + def->columns - 1) / def->columns;
    Status status = raster_init(out, def->columns * def->size, rows * clip_count * def->size, paper, err);
    for (int i = 0; i < clip_count && !status; i++)
        status = clip[i]->motion.frame_count > 0
                     ? draw_clip(clip[i], def, i, clip_count, out, err)
                     : error_set(err, STATUS_BAD_INPUT, "has no frames to draw");
    if (status)
        raster_free(out);
    return status;
}
