/* Draws a simulated scene: triangles with a depth buffer, then lines, dots and arrows. */
#include "analysis/mannequin/scene_marks.h"
#include "formats/picture/scene_picture.h"

#include <math.h>

#include "analysis/mannequin/mannequin.h"

#define WIDE 4.0    /* times the largest frame: if the action reaches farther, the view follows it */
#define FILL 0.86   /* fraction of an image's side that the action fills */
#define DARK 0.45   /* fraction of a colour in shadow */
#define NEARER 1e6  /* m: in front of everything */
enum { FINER = 2, GRID_LINES = 8 };

static const Vec3 light = {0.35, 0.8, 0.5}, ground_tint = {0.78, 0.8, 0.77};

/* Bounds in the directions right and up of the view. */
typedef struct Box {
    double low[2], high[2];
} Box;

static const Box no_box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static void reach(Box *b, const GridView *view, Vec3 point)
{
    const double at[2] = {vec3_dot(view->right, point), vec3_dot(view->up, point)};
    for (int k = 0; k < 2; k++) {
        b->low[k] = fmin(b->low[k], at[k]);
        b->high[k] = fmax(b->high[k], at[k]);
    }
}

static double extent(const Box *b) { return fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]); }

typedef struct Scene {
    const ScenePose *pose;
    const GridView *view;
    Mannequin body;
    SceneMarks marks;
    int moves; /* 1: some shape moves with a body; static shapes then do not affect the size */
} Scene;

static const Vec3 *positions(const Scene *s, int frame)
{
    return s->pose->position + (size_t)frame * (size_t)s->body.joint_count;
}

static const Quat *orientations(const Scene *s, int frame)
{
    return s->pose->orientation + (size_t)frame * (size_t)s->body.joint_count;
}

/* The vertex as the joint alone moves it. */
static Vec3 moved_by(const Scene *s, int frame, int v, int j)
{
    const Mannequin *m = &s->body;
    Vec3 own = quat_rotate_inverse(m->joint_orientation[j], vec3_sub(m->position[v], m->joint_position[j]));
    return vec3_add(positions(s, frame)[j], quat_rotate(orientations(s, frame)[j], own));
}

static Vec3 scene_vertex(const Scene *s, int frame, int v)
{
    const Mannequin *m = &s->body;
    Vec3 first = moved_by(s, frame, v, m->joint[v][0]);
    return m->weight[v] > 0 ? vec3_lerp(first, moved_by(s, frame, v, m->joint[v][1]), m->weight[v]) : first;
}

static Vec3 scene_normal(const Scene *s, int frame, int v)
{
    int j = s->body.joint[v][0];
    Vec3 own = quat_rotate_inverse(s->body.joint_orientation[j], s->body.normal[v]);
    return quat_rotate(orientations(s, frame)[j], own);
}

static Box frame_box(const Scene *s, int frame)
{
    Box b = no_box;
    Vec3 end[2];
    for (int v = 0; v < s->body.vertex_count; v++)
        if (s->body.joint[v][0] > 0 || !s->moves)
            reach(&b, s->view, scene_vertex(s, frame, v));
    for (int i = 0; i < s->marks.count; i++)
        if (s->marks.mark[i].kind != MARK_FORCE &&
            scene_mark_pose(&s->marks, i, frame, positions(s, frame), orientations(s, frame), end)) {
            reach(&b, s->view, end[0]);
            reach(&b, s->view, end[1]);
        }
    return b;
}

/* Centre of the image in view coordinates, m, and pixels per m. */
typedef struct Framing {
    double middle[2], scale, size; /* size: m, of the largest frame */
    int follows;
} Framing;

static void centre(Framing *f, const Box *b)
{
    for (int k = 0; k < 2; k++)
        f->middle[k] = 0.5 * (b->low[k] + b->high[k]);
}

/* Finds one framing for all images, or one that follows the bodies. */
static Framing find_framing(const Scene *s, int pixels)
{
    Box all = no_box;
    Framing f = {.size = 0};
    for (int i = 0; i < s->pose->shown_count; i++) {
        Box own = frame_box(s, s->pose->shown[i]);
        f.size = fmax(f.size, extent(&own));
        for (int k = 0; k < 2; k++) {
            all.low[k] = fmin(all.low[k], own.low[k]);
            all.high[k] = fmax(all.high[k], own.high[k]);
        }
    }
    f.size = f.size > 0 && isfinite(f.size) ? f.size : 1;
    f.follows = !(extent(&all) <= WIDE * f.size);
    centre(&f, &all);
    f.scale = FILL * pixels / (f.follows ? f.size : fmax(extent(&all), f.size));
    return f;
}

/* An image at FINER times its resolution. */
typedef struct Canvas {
    int side;
    float *depth; /* [side][side] m towards the viewer */
    Vec3 *tint;   /* [side][side] */
    const GridView *view;
    Vec3 towards; /* unit vector towards the viewer */
    Framing framing;
} Canvas;

/* Projects a point: pixels across and down, and depth. */
static Vec3 on_canvas(const Canvas *c, Vec3 point)
{
    double scale = FINER * c->framing.scale, half = 0.5 * c->side;
    return vec3(half + scale * (vec3_dot(c->view->right, point) - c->framing.middle[0]),
                half - scale * (vec3_dot(c->view->up, point) - c->framing.middle[1]), vec3_dot(c->towards, point));
}

static void put_pixel(const Canvas *c, int x, int y, double depth, Vec3 tint)
{
    size_t at = (size_t)y * (size_t)c->side + (size_t)x;
    if (depth >= (double)c->depth[at]) {
        c->depth[at] = (float)depth;
        c->tint[at] = tint;
    }
}

static int pixel(double x, int max) { return x < 0 ? 0 : x > max ? max : (int)x; }

static double edge_cross(Vec3 a, Vec3 b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/* Fills a triangle on the canvas with interpolated corner colours. */
static void fill_triangle(const Canvas *c, const Vec3 p[3], const Vec3 tint[3])
{
    double area = edge_cross(p[0], p[1], p[2].x, p[2].y);
    if (!isfinite(area) || area == 0)
        return;
    int x0 = pixel(fmin(p[0].x, fmin(p[1].x, p[2].x)), c->side);
    int y0 = pixel(fmin(p[0].y, fmin(p[1].y, p[2].y)), c->side);
    int x1 = pixel(fmax(p[0].x, fmax(p[1].x, p[2].x)) + 1, c->side);
    int y1 = pixel(fmax(p[0].y, fmax(p[1].y, p[2].y)) + 1, c->side);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            double w[3];
            for (int k = 0; k < 3; k++)
                w[k] = edge_cross(p[(k + 1) % 3], p[(k + 2) % 3], x + 0.5, y + 0.5) / area;
            if (w[0] < 0 || w[1] < 0 || w[2] < 0)
                continue;
            Vec3 own = vec3_mad(vec3_mad(vec3_scale(tint[0], w[0]), w[1], tint[1]), w[2], tint[2]);
            put_pixel(c, x, y, w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z, own);
        }
}

/* Draws a line with round ends, width in pixels; lift: m that its depth is raised. */
static void fill_line(const Canvas *c, Vec3 a, Vec3 b, double width, double lift, Vec3 tint)
{
    Vec3 p = on_canvas(c, a), q = on_canvas(c, b);
    double half = fmax(0.5 * width, 0.75), dx = q.x - p.x, dy = q.y - p.y, square = dx * dx + dy * dy;
    if (!isfinite(square + p.x + p.y))
        return;
    int x0 = pixel(fmin(p.x, q.x) - half, c->side), x1 = pixel(fmax(p.x, q.x) + half + 1, c->side);
    int y0 = pixel(fmin(p.y, q.y) - half, c->side), y1 = pixel(fmax(p.y, q.y) + half + 1, c->side);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            double t = square > 0 ? ((x + 0.5 - p.x) * dx + (y + 0.5 - p.y) * dy) / square : 0;
            t = fmin(fmax(t, 0), 1);
            double ax = x + 0.5 - p.x - t * dx, ay = y + 0.5 - p.y - t * dy;
            if (ax * ax + ay * ay <= half * half)
                put_pixel(c, x, y, p.z + t * (q.z - p.z) + lift, tint);
        }
}

static Vec3 lit(Vec3 tint, Vec3 normal)
{
    return vec3_scale(tint, DARK + (1 - DARK) * fmax(vec3_dot(normal, vec3_normalize(light)), 0));
}

static void draw_body(const Canvas *c, const Scene *s, int frame)
{
    const FigurePlace *figure = s->pose->figure;
    for (int f = 0; f < s->body.face_count; f++) {
        Vec3 p[3], tint[3];
        for (int k = 0; k < 3; k++) {
            int v = s->body.face[f][k];
            p[k] = on_canvas(c, scene_vertex(s, frame, v));
            tint[k] = lit(figure ? figure->tint[s->body.segment[f]] : s->body.tint[v], scene_normal(s, frame, v));
        }
        if (edge_cross(p[0], p[1], p[2].x, p[2].y) < 0) /* faces the viewer, as y points down */
            fill_triangle(c, p, tint);
    }
}

/* Draws the arrow head at the end of a line. */
static void fill_head(const Canvas *c, Vec3 from, Vec3 to, double length, Vec3 tint)
{
    Vec3 p = on_canvas(c, from), q = on_canvas(c, to), way = vec3(q.x - p.x, q.y - p.y, 0);
    Vec3 along = vec3_scale(way, length / fmax(vec3_norm(way), 1e-9)), aside = vec3(0.4 * along.y, -0.4 * along.x, 0);
    Vec3 tip = vec3(q.x + along.x, q.y + along.y, q.z + NEARER);
    const Vec3 corner[3] = {tip, vec3_sub(vec3_sub(tip, along), aside), vec3_add(vec3_sub(tip, along), aside)};
    fill_triangle(c, corner, (const Vec3[3]){tint, tint, tint});
}

/* Draws the marks; arrows are visible through bodies. */
static void draw_marks(const Canvas *c, const Scene *s, int frame)
{
    Vec3 end[2];
    for (int i = 0; i < s->marks.count; i++) {
        const SceneMark *m = &s->marks.mark[i];
        double width = 2 * FINER * m->radius * s->marks.size * c->framing.scale;
        int is_arrow = m->kind == MARK_FORCE;
        if (!scene_mark_pose(&s->marks, i, frame, positions(s, frame), orientations(s, frame), end))
            continue;
        fill_line(c, end[0], end[1], width, is_arrow ? NEARER : 0, m->tint);
        if (is_arrow)
            fill_head(c, end[0], end[1], 4 * width, m->tint);
    }
}

/* Draws a grid on infinite planes, centred below the middle of the view. */
static void draw_ground(const Canvas *c, const Scene *s, int frame)
{
    const Shapes *shapes = &s->pose->clip->shapes; /* empty for a figure */
    double cell = 0.25 * s->marks.size;
    Vec3 middle = vec3_mad(vec3_scale(c->view->right, c->framing.middle[0]), c->framing.middle[1], c->view->up);
    for (int i = 0; i < shapes->count; i++) {
        int joint = shapes->joint[i];
        Quat orientation = quat_mul(orientations(s, frame)[joint], shapes->orientation[i]);
        Vec3 at = vec3_add(positions(s, frame)[joint], quat_rotate(orientations(s, frame)[joint], shapes->position[i]));
        Vec3 x = quat_rotate(orientation, vec3(1, 0, 0)), y = quat_rotate(orientation, vec3(0, 1, 0));
        if (shapes->kind[i] != SHAPE_PLANE || shapes->size[i].x > 0)
            continue;
        double u = cell * nearbyint(vec3_dot(vec3_sub(middle, at), x) / cell);
        double v = cell * nearbyint(vec3_dot(vec3_sub(middle, at), y) / cell), half = GRID_LINES * cell;
        for (int k = -GRID_LINES; k <= GRID_LINES; k++)
            for (int along = 0; along < 2; along++) {
                Vec3 side = along ? x : y, way = along ? y : x;
                Vec3 start = vec3_mad(vec3_mad(at, along ? u : v, side), k * cell, side);
                start = vec3_mad(start, along ? v : u, way);
                fill_line(c, vec3_mad(start, -half, way), vec3_mad(start, half, way), 1, -1e-3 * s->marks.size,
                          ground_tint);
            }
    }
}

/* Averages FINER by FINER pixels; empty ones have the background colour, and nothing is drawn where all are. */
static void put_canvas(const Canvas *c, Spot corner, Vec3 paper, Raster *out)
{
    int side = c->side / FINER;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            Vec3 sum = {0, 0, 0};
            int drawn = 0;
            for (int k = 0; k < FINER * FINER; k++) {
                size_t at = (size_t)(FINER * y + k / FINER) * (size_t)c->side + (size_t)(FINER * x + k % FINER);
                int is_drawn = c->depth[at] > -INFINITY;
                sum = vec3_add(sum, is_drawn ? c->tint[at] : paper);
                drawn += is_drawn;
            }
            if (drawn == 0)
                continue;
            sum = vec3_scale(sum, 255.0 / (FINER * FINER));
            raster_box(out, (Spot){corner.x + x, corner.y + y}, 1, 1,
                       (Colour){(uint8_t)lround(sum.x), (uint8_t)lround(sum.y), (uint8_t)lround(sum.z)});
        }
}

/* Places the figure of image i. */
static void place_figure(Canvas *c, const FigurePlace *figure, int i)
{
    double side = (double)c->side / FINER;
    c->framing = (Framing){.scale = figure->scale};
    c->framing.middle[0] = vec3_dot(c->view->right, figure->base[i]);
    c->framing.middle[1] = vec3_dot(c->view->up, figure->base[i]) + (figure->below - 0.5) * side / figure->scale;
}

static void draw_image(Canvas *c, const Scene *s, int i, Spot corner, Raster *out)
{
    int frame = s->pose->shown[i];
    for (size_t k = 0; k < (size_t)c->side * (size_t)c->side; k++)
        c->depth[k] = -INFINITY;
    if (s->pose->figure)
        place_figure(c, s->pose->figure, i);
    if (c->framing.follows) {
        Box own = frame_box(s, frame);
        centre(&c->framing, &own);
    }
    draw_ground(c, s, frame);
    draw_body(c, s, frame);
    draw_marks(c, s, frame);
    put_canvas(c, corner, s->pose->paper, out);
}

Status scene_picture(const ScenePose *pose, const GridView *view, int pixels, const Spot *corner, Raster *out,
                     Error *err)
{
    Arena arena = {0};
    Scene s = {.pose = pose, .view = view};
    Canvas c = {.side = FINER * pixels, .view = view, .towards = vec3_cross(view->right, view->up)};
    ClipView clip = clip_view(pose->clip);
    size_t side = (size_t)c.side;
    Status status = mannequin_init(&s.body, &clip, pose->figure ? NULL : &pose->clip->shapes, err);
    for (int v = 0; v < s.body.vertex_count; v++)
        s.moves |= s.body.joint[v][0] > 0;
    if (!status && !pose->figure)
        status = scene_marks_init(&s.marks, pose->clip, 1, 0, &arena, err);
    c.depth = arena_array(&arena, side, side, sizeof *c.depth);
    c.tint = arena_array(&arena, side, side, sizeof *c.tint);
    if (!status && arena.failed)
        status = error_no_memory(err);
    if (!status && !pose->figure) {
        c.framing = find_framing(&s, pixels);
        s.marks.newton *= c.framing.size;
        s.marks.size = c.framing.size;
    }
    for (int i = 0; i < pose->shown_count && !status; i++)
        draw_image(&c, &s, i, corner[i], out);
    mannequin_free(&s.body);
    arena_free(&arena);
    return status;
}
