/* Head and feet: small parts of their own, each in finer cells than the body. Numbers are parts of stature. */
#include "analysis/figure/figure_build.h"

#define CROWN 0.182 /* vertex of the head above the shoulder joints */
#define LOWEST_ANKLE 0.039 /* joint above the sole, at least, */
#define TALLEST_ANKLE 0.085 /* and at most, whatever the file has */
#define TOE_JOINT 0.008 /* above the sole, at least */
#define HEEL 0.032  /* behind the ankle joint */
#define BALL 0.075  /* before it, where no joint tells */
#define TOES 0.040  /* from ball to tip */

static const double head_cell = 0.0105, foot_cell = 0.0105;

/* --- head --- */

int human_head(const FigureBuild *b) { return b->joint[ROLE_HEAD] >= 0 ? b->joint[ROLE_HEAD] : b->joint[ROLE_NECK]; }

Vec3 human_skull(const FigureBuild *b)
{
    double h = b->stature;
    int left = b->joint[ROLE_LEFT_SHOULDER], right = b->joint[ROLE_RIGHT_SHOULDER], hips = b->joint[ROLE_HIPS];
    Vec3 base = b->place[human_head(b)];
    double shoulders = left >= 0 && right >= 0 ? 0.5 * vec3_dot(vec3_add(b->place[left], b->place[right]), b->up)
                                               : vec3_dot(b->place[hips], b->up) + 0.29 * h;
    double crown = shoulders + CROWN * h - vec3_dot(base, b->up);
    if (b->joint[ROLE_HEAD] >= 0)
        crown = fmin(fmax(crown, 0.075 * h), 0.155 * h);
    return figure_at(b, base, 0.010 * h, crown - 0.050 * h, 0);
}

static Status add_head(FigureBuild *b, Error *err)
{
    double h = b->stature;
    int head = human_head(b);
    if (head < 0)
        return STATUS_OK;
    Vec3 skull = human_skull(b);
    int bone = figure_bone(b, head, b->up, 1);
    b->bone[bone].from = -1; /* no part of it follows the neck */
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.02 * h, 0});
    implicit_add(&b->shape, &(Blob){.a = figure_at(b, skull, -0.010 * h, 0, 0),
                                    .b = figure_at(b, skull, 0.008 * h, 0, 0),
                                    .ra = 0.0495 * h,
                                    .rb = 0.0480 * h,
                                    .thin = b->right,
                                    .flat = 0.86,
                                    .bone = bone});
    implicit_add(&b->shape, &(Blob){.a = figure_at(b, skull, 0.022 * h, -0.012 * h, 0),
                                    .ra = 0.0400 * h,
                                    .rb = 0.0255 * h,
                                    .b = figure_at(b, skull, 0.029 * h, -0.052 * h, 0),
                                    .thin = b->right,
                                    .flat = 0.92,
                                    .bone = bone});
    implicit_add_group(&b->shape, (BlobGroup){0, 0, 0.012 * h}); /* the nose tells where the face is */
    figure_cone(b, bone, figure_at(b, skull, 0.054 * h, -0.010 * h, 0), 0.003 * h,
                figure_at(b, skull, 0.061 * h, -0.026 * h, 0), 0.0055 * h);
    return figure_finish_part(b, head_cell * h, err);
}

/* --- feet --- */

typedef struct Foot {
    Vec3 ankle, ball, tip, heel; /* m; all but the ankle at the height of the sole */
    Vec3 across;
    int bone, toe_bone;
} Foot;

static Vec3 at_height(const FigureBuild *b, Vec3 p, double height)
{
    return vec3_mad(p, height - vec3_dot(p, b->up), b->up);
}

/* The way that the foot goes, level: to the toe, else to its farthest tip, else forward. */
static Vec3 way_of_foot(const FigureBuild *b, int ankle, int toe)
{
    const Skeleton *s = b->skeleton;
    Vec3 way = toe >= 0 ? vec3_sub(b->place[toe], b->place[ankle]) : vec3(0, 0, 0);
    for (int e = 0; e < s->end_count && toe < 0; e++)
        if (s->end_parent[e] == ankle)
            way = quat_rotate(b->turn[ankle], s->end_offset[e]);
    way = vec3_mad(way, -vec3_dot(way, b->up), b->up);
    return vec3_norm(way) > 0.02 * b->stature && vec3_dot(way, b->front) > 0 ? vec3_normalize(way) : b->front;
}

/* How far the sole is below the ankle, m: files have ankles of any height, and their toes stand on the ground. */
static double ankle_height(const FigureBuild *b, int ankle, int toe)
{
    double h = b->stature;
    double drop = toe < 0 ? 0 : vec3_dot(vec3_sub(b->place[ankle], b->place[toe]), b->up) + TOE_JOINT * h;
    return fmin(fmax(drop, LOWEST_ANKLE * h), TALLEST_ANKLE * h);
}

static int find_foot(const FigureBuild *b, int side, Foot *foot)
{
    static const Role roles[2][2] = {{ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};
    int ankle = b->joint[roles[side][0]], toe = b->joint[roles[side][1]];
    if (ankle < 0)
        return 0;
    double h = b->stature;
    Vec3 way = way_of_foot(b, ankle, toe), low = vec3_mad(b->place[ankle], -ankle_height(b, ankle, toe), b->up);
    double length = toe < 0 ? BALL * h : vec3_dot(vec3_sub(b->place[toe], b->place[ankle]), way);
    length = fmin(fmax(length, 0.055 * h), 0.1 * h);
    foot->ankle = b->place[ankle];
    foot->heel = vec3_mad(low, -HEEL * h, way);
    foot->ball = vec3_mad(low, length, way);
    foot->tip = vec3_mad(low, length + TOES * h, way);
    foot->across = vec3_cross(way, b->up);
    foot->bone = b->bone_of[ankle];
    foot->toe_bone = toe < 0 ? foot->bone : b->bone_of[toe];
    return 1;
}

static Status add_foot(FigureBuild *b, const Foot *f, Error *err)
{
    double h = b->stature, sole = vec3_dot(f->ball, b->up);
    int inward = vec3_dot(f->across, b->right) * vec3_dot(vec3_sub(f->ankle, b->place[b->joint[ROLE_HIPS]]), b->right) >
                         0
                     ? -1
                     : 1;
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.014 * h, 0});
    Vec3 heel_at = at_height(b, vec3_mad(f->heel, 0.018 * h, vec3_normalize(vec3_sub(f->ball, f->heel))),
                             sole + 0.018 * h);
    figure_cone(b, f->bone, f->ankle, 0.0198 * h, heel_at, 0.0205 * h);
    figure_cone(b, f->bone, vec3_mad(f->ankle, -0.004 * h, b->up), 0.0200 * h, at_height(b, f->ball, sole + 0.014 * h),
                0.0155 * h);
    for (int i = -1; i <= 1; i += 2) { /* both edges of the forefoot; the inner one is longer */
        double side = i * 0.0125 * h, more = i == inward ? 1 : 0.82;
        Vec3 ball = vec3_mad(at_height(b, f->ball, sole + 0.0115 * h), side, f->across);
        Vec3 tip = vec3_mad(at_height(b, vec3_mad(f->ball, more, vec3_sub(f->tip, f->ball)), sole + 0.008 * h),
                            0.75 * side, f->across);
        Vec3 heel = vec3_mad(at_height(b, f->heel, sole + 0.012 * h), 0.3 * side, f->across);
        heel = vec3_mad(heel, 0.3, vec3_sub(ball, heel));
        figure_cone(b, f->bone, heel, 0.013 * h, ball, 0.0145 * h);
        figure_cone(b, f->toe_bone, ball, 0.0135 * h, vec3_mad(tip, -0.25, vec3_sub(tip, ball)), 0.0095 * h);
    }
    b->shape.floor_normal = b->up;
    b->shape.floor = sole;
    return figure_finish_part(b, foot_cell * h, err);
}

Status human_ends(FigureBuild *b, Error *err)
{
    Foot foot;
    Status status = add_head(b, err);
    for (int side = 0; side < 2 && !status; side++) {
        if (find_foot(b, side, &foot))
            status = add_foot(b, &foot, err);
        if (!status)
            status = human_hand(b, side ? ROLE_RIGHT_ELBOW : ROLE_LEFT_ELBOW, side ? ROLE_RIGHT_WRIST : ROLE_LEFT_WRIST,
                                err);
    }
    return status;
}
