#include "formats/picture/contact_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/ground_track.h"
#include "analysis/control/playback.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"

#define ELEVATION 0.2   /* rad that the view is from above */
#define ROOM 1.5        /* of the body's height: what a frame's side shows */
#define GROUND_AT 0.86  /* of a frame's side from above: where the ground under the hips is */
#define LOW_SHARE 0.02  /* of frames that are lower than the ground that is drawn */
#define EDGE 3          /* pixels that a body keeps from the edge of its frame */

static const Colour paper = {250, 250, 248}, frame_line = {215, 215, 210}, ground_ink = {190, 200, 185},
                    ink = {90, 90, 90};
static const Colour ball_ink = {220, 140, 30};
static const Colour side_ink[3] = {{110, 110, 115}, {205, 60, 50}, {45, 95, 200}}; /* middle, left, right */

SheetDef sheet_default_def(void) { return (SheetDef){.frames = 12, .columns = 6, .size = 200, .angle = 35}; }

/* A motion at work. */
typedef struct Shown {
    const Clip *clip;
    const Motion *motion;
    const Vec3 *ball;  /* [frame] m, NaN: there is none; NULL: never */
    Vec3 *position;    /* [frame][joint] */
    Quat *orientation; /* [frame][joint] joint to world */
    double ground;     /* m */
    double height;     /* m, of the body */
    double scale;      /* pixels per m */
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

/* Joints and end sites. */
static int place_count(const Shown *s) { return s->clip->skeleton.joint_count + s->clip->skeleton.end_count; }

/* World place of a joint or, behind the joints, of an end site. */
static Vec3 place_of(const Shown *s, int frame, int point)
{
    const Skeleton *k = &s->clip->skeleton;
    int end = point - k->joint_count, joint = end < 0 ? point : k->end_parent[end];
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)joint;
    return end < 0 ? s->position[at] : vec3_add(s->position[at], quat_rotate(s->orientation[at], k->end_offset[end]));
}

/* The ground is what is low in most frames, the height that of the tallest one. */
static void measure(Shown *s, double *low)
{
    int frames = s->motion->frame_count;
    for (int f = 0; f < frames; f++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < place_count(s); i++) {
            double y = place_of(s, f, i).y;
            least = fmin(least, y);
            most = fmax(most, y);
        }
        low[f] = least;
        s->height = fmax(s->height, most - least);
    }
    s->ground = s->clip->has_contact ? s->clip->contact.ground_height : track_percentile(low, frames, LOW_SHARE);
}

/* Frame of the motion that frame i of the sheet shows. */
static int frame_of(const Shown *s, const SheetDef *def, int i)
{
    return def->frames > 1 ? (int)((double)i * (s->motion->frame_count - 1) / (def->frames - 1) + 0.5) : 0;
}

/* The ground under the hips, which has its fixed place in a frame of the sheet. */
static Vec3 base_of(const Shown *s, int frame)
{
    Vec3 hips = place_of(s, frame, 0);
    return vec3(hips.x, s->ground, hips.z);
}

/* The body at ROOM of its height, or as much smaller as keeps each of its places within its frame of the sheet. */
static void find_scale(Shown *s, const View *view, const SheetDef *def)
{
    double side = 0.5 * def->size - EDGE, above = GROUND_AT * def->size - EDGE;
    double below = (1 - GROUND_AT) * def->size - EDGE;
    s->scale = def->size / (ROOM * fmax(s->height, 1e-6));
    for (int i = 0; i < def->frames; i++) {
        int frame = frame_of(s, def, i);
        for (int k = 0; k < place_count(s); k++) {
            Vec3 from = vec3_sub(place_of(s, frame, k), base_of(s, frame));
            double across = fabs(vec3_dot(view->right, from)), up = vec3_dot(view->up, from);
            if (s->scale * across > side)
                s->scale = side / across;
            if (s->scale * fabs(up) > (up > 0 ? above : below))
                s->scale = (up > 0 ? above : below) / fabs(up);
        }
    }
}

/* Where a place is in the frame whose upper left corner is given. */
static Spot spot_of(const Shown *s, const View *view, const SheetDef *def, Spot corner, Vec3 from)
{
    return (Spot){corner.x + 0.5 * def->size + s->scale * vec3_dot(view->right, from),
                  corner.y + GROUND_AT * def->size - s->scale * vec3_dot(view->up, from)};
}

/* A disc, where all of it is in sight. */
static void draw_ball(const Shown *s, const View *view, int frame, const SheetDef *def, Spot corner, Raster *out)
{
    if (!s->ball)
        return;
    double width = fmax(4, 2 * playback_default_def().ball.radius * s->scale);
    double least = 0.5 * width, most = def->size - least;
    Spot at = spot_of(s, view, def, corner, vec3_sub(s->ball[frame], base_of(s, frame)));
    double x = at.x - corner.x, y = at.y - corner.y;
    if (x >= least && x <= most && y >= least && y <= most) /* NaN: no */
        raster_line(out, at, at, width, ball_ink);
}

/* Bones of one side of the body: those of joints, then those to end sites, which are thinner. */
static void draw_side(const Shown *s, const View *view, int frame, const SheetDef *def, Spot corner, int side,
                      Raster *out)
{
    const Skeleton *k = &s->clip->skeleton;
    double width = fmax(1.5, def->size / 70.0);
    Vec3 base = base_of(s, frame);
    for (int i = 1; i < place_count(s); i++) {
        int end = i - k->joint_count, parent = end < 0 ? k->parent[i] : k->end_parent[end];
        if (side_of(k, end < 0 ? i : parent) == side)
            raster_line(out, spot_of(s, view, def, corner, vec3_sub(place_of(s, frame, parent), base)),
                        spot_of(s, view, def, corner, vec3_sub(place_of(s, frame, i), base)),
                        end < 0 ? width : 0.7 * width, side_ink[side]);
    }
}

static void draw_frame(const Shown *s, const View *view, int frame, const SheetDef *def, Spot corner, Raster *out)
{
    char time[32];
    raster_box(out, corner, def->size, 1, frame_line);
    raster_box(out, corner, 1, def->size, frame_line);
    raster_line(out, (Spot){corner.x + 4, corner.y + GROUND_AT * def->size},
                (Spot){corner.x + def->size - 4, corner.y + GROUND_AT * def->size}, 1, ground_ink);
    for (int side = 0; side < 3; side++)
        draw_side(s, view, frame, def, corner, side, out);
    draw_ball(s, view, frame, def, corner, out);
    snprintf(time, sizeof time, "%.2f s", s->motion->time[frame]);
    raster_text(out, (Spot){corner.x + 6, corner.y + def->size - 14}, 1.5, time, ink);
}

/* CONTROLLER_COUNT: none of that name, or name NULL and none at all. */
static int find_run(const Clip *clip, const char *name)
{
    int k = 0;
    while (k < CONTROLLER_COUNT && !(clip->has_tracking && clip->tracking.run[k].present &&
                                     (!name || !strcmp(name, controller_name((ControllerKind)k)))))
        k++;
    return k;
}

Status contact_sheet_run(const Clip *clip, const SheetDef *def, const char **name, Error *err)
{
    int own = def->run && !strcmp(def->run, "clip"), run = own ? CONTROLLER_COUNT : find_run(clip, def->run);
    *name = run < CONTROLLER_COUNT ? controller_name((ControllerKind)run) : "clip";
    if (def->run && !own && run == CONTROLLER_COUNT)
        return error_set(err, STATUS_USAGE, "--run: the clip has no run of \"%s\": kane track simulates one", def->run);
    return STATUS_OK;
}

/* The motion that is drawn: the clip's own, or that of a run, which fills *made. */
static Status choose_motion(Shown *s, const SheetDef *def, Motion *made, Error *err)
{
    const char *name;
    const Clip *clip = s->clip;
    Status status = contact_sheet_run(clip, def, &name, err);
    int run = status ? CONTROLLER_COUNT : find_run(clip, name);
    s->motion = &clip->motion;
    if (status || run == CONTROLLER_COUNT)
        return status;
    s->ball = clip->tracking.run[run].ball;
    s->motion = made;
    return tracking_motion(&clip->tracking, (ControllerKind)run, &clip->skeleton, made, err);
}

/* World poses and what follows from them. */
static Status prepare(Shown *s, const View *view, const SheetDef *def, Arena *arena, Error *err)
{
    size_t frames = (size_t)s->motion->frame_count, joints = (size_t)s->clip->skeleton.joint_count;
    double *low = arena_array(arena, frames, 1, sizeof *low);
    ClipView clip = {.skeleton = &s->clip->skeleton, .motion = s->motion};
    s->position = arena_array(arena, frames, joints, sizeof *s->position);
    s->orientation = arena_array(arena, frames, joints, sizeof *s->orientation);
    Status status = arena->failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&clip, LANES_SCALAR, &(WorldPoses){s->position, s->orientation, NULL}, err);
    if (status)
        return status;
    measure(s, low);
    find_scale(s, view, def);
    return STATUS_OK;
}

/* All frames of one clip, from a row of the sheet on; rows of several clips alternate. */
static Status draw_clip(const Clip *clip, const SheetDef *def, int row, int row_step, Raster *out, Error *err)
{
    Arena arena = {0};
    Motion made = {0};
    Shown shown = {.clip = clip};
    View view = view_of(def->angle);
    Status status = choose_motion(&shown, def, &made, err);
    if (!status)
        status = prepare(&shown, &view, def, &arena, err);
    for (int i = 0; i < def->frames && !status; i++) {
        int line = row + i / def->columns * row_step;
        Spot corner = {i % def->columns * (double)def->size, line * (double)def->size};
        draw_frame(&shown, &view, frame_of(&shown, def, i), def, corner, out);
    }
    motion_free(&made);
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
