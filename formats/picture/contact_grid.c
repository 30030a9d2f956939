/* See contact_grid.h. */
#include "formats/picture/contact_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"
#include "formats/picture/scene_picture.h"

#define ELEVATION 0.2     /* rad, of the camera above the horizontal */
#define ROOM 1.5          /* side of a frame in body heights */
#define GROUND_AT 0.86    /* height of the ground under the hips, as a fraction of a frame's side from the top */
#define LOW_FRACTION 0.02 /* fraction of frames with points below the drawn ground */
#define EDGE 3            /* pixels between a body and the edge of its frame */

static const Colour paper = {250, 250, 248}, frame_line = {215, 215, 210}, ground_ink = {190, 200, 185},
                    ink = {90, 90, 90};
static const Colour ball_ink = {220, 140, 30};
static const Colour skin_tint[3] = {{200, 200, 205}, {225, 105, 95}, {100, 145, 225}}; /* middle, left, right */
static const Colour side_ink[3] = {{110, 110, 115}, {205, 60, 50}, {45, 95, 200}}; /* middle, left, right */

RowWriterDef row_writer_default_def(void)
{
    return (RowWriterDef){.frames = 12, .columns = 6, .size = 200, .angle = 35};
}

/* A motion to draw. */
typedef struct Shown {
    const Clip *clip;
    const Motion *motion;
    const Vec3 *ball;  /* [frame] m, NaN: absent; NULL: none */
    Vec3 *position;    /* [frame][joint] m, world */
    Quat *orientation; /* [frame][joint] joint to world */
    int hips;          /* joint in the middle of an image: that of the role, or the root */
    double longest;    /* m, of its bones */
    double ground;     /* m */
    double height;     /* m, of the body */
    double scale;      /* pixels per m */
} Shown;

static GridView grid_view(double degrees)
{
    double sine, cosine, above, level;
    elementary_sincos(degrees * PI / 180, &sine, &cosine);
    elementary_sincos(ELEVATION, &above, &level);
    return (GridView){vec3(cosine, 0, -sine), vec3(-above * sine, level, -above * cosine)};
}

static int joint_side(const Skeleton *s, int joint)
{
    Role role = s->segment[joint];
    return role_mirror(role) == role ? 0 : role < ROLE_RIGHT_CLAVICLE ? 1 : 2;
}

/* Counts joints and end sites. */
static int drawn_count(const Shown *s) { return s->clip->skeleton.joint_count + s->clip->skeleton.end_count; }

/* Whether a point belongs to the body: roots above the hips, which may stay behind, do not, nor do ends that are longer
 * than any bone. */
static int is_drawn(const Shown *s, int point)
{
    int j = s->hips, end = point - s->clip->skeleton.joint_count;
    if (end >= 0 && vec3_norm(s->clip->skeleton.end_offset[end]) > s->longest)
        return 0;
    while (j > point)
        j = s->clip->skeleton.parent[j];
    return j != point || point == s->hips;
}

/* Returns the world position of a joint or, for indices after the joints, of an end site. */
static Vec3 drawn_point(const Shown *s, int frame, int point)
{
    const Skeleton *k = &s->clip->skeleton;
    int end = point - k->joint_count, joint = end < 0 ? point : k->end_parent[end];
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)joint;
    return end < 0 ? s->position[at] : vec3_add(s->position[at], quat_rotate(s->orientation[at], k->end_offset[end]));
}

/* Measures the ground height, a low quantile over frames, and the body height, the largest over frames. */
static void measure(Shown *s, double *low)
{
    int frames = s->motion->frame_count;
    for (int f = 0; f < frames; f++) {
        double min = INFINITY, max = -INFINITY;
        for (int i = 0; i < drawn_count(s); i++) {
            if (!is_drawn(s, i))
                continue;
            double y = drawn_point(s, f, i).y;
            min = fmin(min, y);
            max = fmax(max, y);
        }
        low[f] = min;
        s->height = fmax(s->height, max - min);
    }
    s->ground = s->clip->has_contact ? s->clip->contact.ground_height : track_percentile(low, frames, LOW_FRACTION);
}

/* Returns the frame of the motion that image i of the grid shows. */
static int shown_frame(const Shown *s, const RowWriterDef *def, int i)
{
    return def->frames > 1 ? (int)((double)i * (s->motion->frame_count - 1) / (def->frames - 1) + 0.5) : 0;
}

/* Returns the point of the ground under the hips, which has a fixed position in an image. */
static Vec3 shown_base(const Shown *s, int frame)
{
    Vec3 hips = drawn_point(s, frame, s->hips);
    return vec3(hips.x, s->ground, hips.z);
}

/* Sets the scale so that an image shows ROOM body heights, or smaller to keep all joints inside it. */
static void find_scale(Shown *s, const GridView *view, const RowWriterDef *def)
{
    double side = 0.5 * def->size - EDGE, above = GROUND_AT * def->size - EDGE;
    double below = (1 - GROUND_AT) * def->size - EDGE;
    s->scale = def->size / (ROOM * fmax(s->height, 1e-6));
    for (int i = 0; i < def->frames; i++) {
        int frame = shown_frame(s, def, i);
        for (int k = 0; k < drawn_count(s); k++) {
            if (!is_drawn(s, k))
                continue;
            Vec3 from = vec3_sub(drawn_point(s, frame, k), shown_base(s, frame));
            double across = fabs(vec3_dot(view->right, from)), up = vec3_dot(view->up, from);
            if (s->scale * across > side)
                s->scale = side / across;
            if (s->scale * fabs(up) > (up > 0 ? above : below))
                s->scale = (up > 0 ? above : below) / fabs(up);
        }
    }
}

/* Returns the pixel of an offset from the base, in the image with this upper left corner. */
static Spot project_point(const Shown *s, const GridView *view, const RowWriterDef *def, Spot corner, Vec3 from)
{
    return (Spot){corner.x + 0.5 * def->size + s->scale * vec3_dot(view->right, from),
                  corner.y + GROUND_AT * def->size - s->scale * vec3_dot(view->up, from)};
}

/* Draws the ball if all of it is inside the image. */
static void draw_ball(const Shown *s, const GridView *view, int frame, const RowWriterDef *def, Spot corner,
                      Raster *out)
{
    if (!s->ball)
        return;
    double width = fmax(4, 2 * TRACKING_BALL_RADIUS * s->scale);
    double min = 0.5 * width, max = def->size - min;
    Spot at = project_point(s, view, def, corner, vec3_sub(s->ball[frame], shown_base(s, frame)));
    double x = at.x - corner.x, y = at.y - corner.y;
    if (x >= min && x <= max && y >= min && y <= max) /* false for NaN */
        raster_line(out, at, at, width, ball_ink);
}

/* Draws the bones of one side of the body; those to end sites are thinner. */
static void draw_side(const Shown *s, const GridView *view, int frame, const RowWriterDef *def, Spot corner, int side,
                      Raster *out)
{
    const Skeleton *k = &s->clip->skeleton;
    double width = fmax(1.5, def->size / 70.0);
    Vec3 base = shown_base(s, frame);
    for (int i = 1; i < drawn_count(s); i++) {
        int end = i - k->joint_count, parent = end < 0 ? k->parent[i] : k->end_parent[end];
        if (is_drawn(s, i) && is_drawn(s, parent) && joint_side(k, end < 0 ? i : parent) == side)
            raster_line(out, project_point(s, view, def, corner, vec3_sub(drawn_point(s, frame, parent), base)),
                        project_point(s, view, def, corner, vec3_sub(drawn_point(s, frame, i), base)),
                        end < 0 ? width : 0.7 * width, side_ink[side]);
    }
}

static void draw_edges(const RowWriterDef *def, Spot corner, Raster *out)
{
    raster_box(out, corner, def->size, 1, frame_line);
    raster_box(out, corner, 1, def->size, frame_line);
}

static void draw_time(const Shown *s, int frame, const RowWriterDef *def, Spot corner, Raster *out)
{
    char time[32];
    snprintf(time, sizeof time, "%.2f s", s->motion->time[frame]);
    raster_text(out, (Spot){corner.x + 6, corner.y + def->size - 14}, 1.5, time, ink);
}

static void draw_ground(const RowWriterDef *def, Spot corner, Raster *out)
{
    raster_line(out, (Spot){corner.x + 4, corner.y + GROUND_AT * def->size},
                (Spot){corner.x + def->size - 4, corner.y + GROUND_AT * def->size}, 1, ground_ink);
}

static Vec3 tint_of(Colour c) { return vec3(c.r / 255.0, c.g / 255.0, c.b / 255.0); }

/* Draws the mannequin in all images. */
static Status draw_figures(const Shown *s, const GridView *view, const RowWriterDef *def, const Spot *corner,
                           Raster *out, Error *err)
{
    Arena arena = {0};
    size_t count = (size_t)def->frames, joints = (size_t)s->clip->skeleton.joint_count;
    int *shown = arena_array(&arena, count, 1, sizeof *shown);
    Vec3 *base = arena_array(&arena, count, 1, sizeof *base), *tint = arena_array(&arena, joints, 1, sizeof *tint);
    for (int i = 0; !arena.failed && i < def->frames; i++)
        base[i] = shown_base(s, shown[i] = shown_frame(s, def, i));
    for (int j = 0; !arena.failed && j < s->clip->skeleton.joint_count; j++)
        tint[j] = tint_of(skin_tint[joint_side(&s->clip->skeleton, j)]);
    const FigurePlace figure = {base, GROUND_AT, s->scale, tint};
    const ScenePose pose = {s->clip, s->position, s->orientation, shown, def->frames, tint_of(paper), &figure};
    Status status = arena.failed ? error_no_memory(err) : scene_picture(&pose, view, def->size, corner, out, err);
    arena_free(&arena);
    return status;
}

/* Draws all images of a body. */
static Status draw_body(const Shown *s, const GridView *view, const RowWriterDef *def, const Spot *corner, Raster *out,
                        Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < def->frames; i++) {
        draw_edges(def, corner[i], out);
        draw_ground(def, corner[i], out);
    }
    if (def->style == FIGURE_MANNEQUIN)
        status = draw_figures(s, view, def, corner, out, err);
    for (int i = 0; i < def->frames && !status; i++) {
        int frame = shown_frame(s, def, i);
        for (int side = 0; side < 3 && def->style == FIGURE_LINES; side++)
            draw_side(s, view, frame, def, corner[i], side, out);
        draw_ball(s, view, frame, def, corner[i], out);
        draw_time(s, frame, def, corner[i], out);
    }
    return status;
}

/* Draws the frames of a scene with its shapes. */
static Status draw_scene(const Shown *s, const GridView *view, const RowWriterDef *def, const Spot *corner,
                         Raster *out, Error *err)
{
    int *shown = array_new((size_t)def->frames, 1, sizeof *shown);
    for (int i = 0; shown && i < def->frames; i++)
        shown[i] = shown_frame(s, def, i);
    const ScenePose pose = {s->clip, s->position, s->orientation, shown, def->frames, tint_of(paper), NULL};
    Status status = shown ? scene_picture(&pose, view, def->size, corner, out, err) : error_no_memory(err);
    for (int i = 0; i < def->frames && !status; i++) {
        draw_edges(def, corner[i], out);
        draw_time(s, shown[i], def, corner[i], out);
    }
    free(shown);
    return status;
}

/* Returns the run of this name, or the first one for NULL; CONTROLLER_COUNT if there is none. */
static int find_run(const Clip *clip, const char *name)
{
    int k = 0;
    while (k < CONTROLLER_COUNT && !(clip->has_tracking && clip->tracking.run[k].present &&
                                     (!name || !strcmp(name, controller_name((ControllerKind)k)))))
        k++;
    return k;
}

Status contact_grid_run(const Clip *clip, const RowWriterDef *def, const char **name, Error *err)
{
    int own = def->run && !strcmp(def->run, "clip"), run = own ? CONTROLLER_COUNT : find_run(clip, def->run);
    *name = run < CONTROLLER_COUNT ? controller_name((ControllerKind)run) : "clip";
    if (def->run && !own && run == CONTROLLER_COUNT)
        return error_set(err, STATUS_USAGE, "--run: the clip has no motion of the controller \"%s\": run kane track "
                                            "first", def->run);
    return STATUS_OK;
}

/* Chooses the motion to draw: the clip's own, or that of a run, which fills *made. */
static Status choose_motion(Shown *s, const RowWriterDef *def, Motion *made, Error *err)
{
    const char *name;
    const Clip *clip = s->clip;
    Status status = contact_grid_run(clip, def, &name, err);
    int run = status ? CONTROLLER_COUNT : find_run(clip, name);
    s->motion = &clip->motion;
    if (status || run == CONTROLLER_COUNT)
        return status;
    s->ball = clip->tracking.run[run].ball;
    s->motion = made;
    return tracking_motion(&clip->tracking, (ControllerKind)run, &clip->skeleton, made, err);
}

/* Computes world poses, ground, height and scale. */
static Status prepare(Shown *s, const GridView *view, const RowWriterDef *def, Arena *arena, Error *err)
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
    s->hips = skeleton_find_role(&s->clip->skeleton, ROLE_HIPS);
    s->hips = s->hips < 0 ? 0 : s->hips;
    for (int j = 1; j < s->clip->skeleton.joint_count; j++)
        s->longest = fmax(s->longest, vec3_norm(s->clip->skeleton.offset[j]));
    measure(s, low);
    find_scale(s, view, def);
    return STATUS_OK;
}

/* Draws all frames of one clip, from a given row of the grid; rows of two clips alternate. */
static Status draw_clip(const Clip *clip, const RowWriterDef *def, int row, int row_step, Raster *out, Error *err)
{
    Arena arena = {0};
    Motion made = {0};
    Shown shown = {.clip = clip};
    GridView view = grid_view(def->angle);
    Status status = choose_motion(&shown, def, &made, err);
    if (!status)
        status = prepare(&shown, &view, def, &arena, err);
    Spot *corner = arena_array(&arena, (size_t)def->frames, 1, sizeof *corner);
    if (!status && !corner)
        status = error_no_memory(err);
    for (int i = 0; i < def->frames && !status; i++)
        corner[i] = (Spot){(double)(i % def->columns * def->size),
                           (double)((row + i / def->columns * row_step) * def->size)};
    if (!status && clip->has_shapes && shown.motion == &clip->motion)
        status = draw_scene(&shown, &view, def, corner, out, err);
    else if (!status)
        status = draw_body(&shown, &view, def, corner, out, err);
    motion_free(&made);
    arena_free(&arena);
    return status;
}

Status contact_grid_draw(const Clip *const *clip, int clip_count, const RowWriterDef *def, Raster *out, Error *err)
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
