/* Detection of the unit and of the up axis of a motion (unit.h). */
#include "analysis/detect/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/motion/forward_kinematics.h"

/* Measures of a body in motion from which its unit of length is inferred. */

enum { MAX_PATH = 6, FRAMES_SEARCHED = 1500 };

/* ---- Size ---- */

/* A length of the body along a path of roles (absent ones are skipped): its ratio to stature in people, and the
 * standard deviation of its logarithm over people, stylised characters and joint placements. Medians: stature 1.72 m
 * with the segment lengths of de Leva 1996 (leg from hip to ankle 0.82 m, hips to head joint 0.58 m, arm to the wrist
 * 0.54 m). */
typedef struct BodyLength {
    Role path[MAX_PATH]; /* ends with ROLE_NONE */
    int required;        /* least number of roles of the path that must be present */
    double of_stature, spread;
} BodyLength;

static const BodyLength lengths[] = {
    {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, 3, 0.82 / 1.72, 0.14},
    {{ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}, 3, 0.82 / 1.72, 0.14},
    {{ROLE_HIPS, ROLE_SPINE, ROLE_CHEST, ROLE_NECK, ROLE_HEAD}, 3, 0.58 / 1.72, 0.2},
    {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, 3, 0.54 / 1.72, 0.16},
    {{ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}, 3, 0.54 / 1.72, 0.16},
};

/* Length of a path in the middle frame; 0 where roles are missing. */
static double path_length(const BodyLength *what, const Skeleton *skeleton, const Vec3 *position)
{
    double sum = 0;
    int previous = -1, found = 0;
    for (int i = 0; i < MAX_PATH && what->path[i] != ROLE_NONE; i++) {
        int joint = skeleton_find_role(skeleton, what->path[i]);
        if (joint < 0)
            continue;
        if (previous >= 0)
            sum += vec3_distance(position[joint], position[previous]);
        previous = joint;
        found++;
    }
    return found >= what->required ? sum : 0;
}

/* Stature inferred from the lengths: mean of logarithms weighted by precision. */
static double stature_of(const Skeleton *skeleton, const Vec3 *position)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double length = path_length(&lengths[i], skeleton, position);
        double precision = 1 / (lengths[i].spread * lengths[i].spread);
        if (!(length > 0))
            continue;
        sum += precision * elementary_log(length / lengths[i].of_stature);
        weight += precision;
    }
    return weight > 0 ? elementary_exp(sum / weight) : 0;
}

/* Distance from an ankle to the farthest point of its foot. */
static double foot_length(const Skeleton *s, const Vec3 *position, Role ankle)
{
    int from = skeleton_find_role(s, ankle);
    double farthest = 0;
    for (int j = from + 1; from >= 0 && j < s->joint_count; j++)
        if (s->parent[j] == from || s->segment[j] == s->segment[from])
            farthest = fmax(farthest, vec3_distance(position[j], position[from]));
    for (int e = 0; from >= 0 && e < s->end_count; e++)
        if (s->end_parent[e] == from || s->parent[s->end_parent[e]] == from)
            farthest = fmax(farthest, vec3_distance(position[s->joint_count + e], position[from]));
    return farthest;
}

static double box_diagonal(const Vec3 *position, int count)
{
    Vec3 low = position[0], high = low;
    for (int p = 1; p < count; p++) {
        Vec3 v = position[p];
        low = vec3(v.x < low.x ? v.x : low.x, v.y < low.y ? v.y : low.y, v.z < low.z ? v.z : low.z);
        high = vec3(v.x > high.x ? v.x : high.x, v.y > high.y ? v.y : high.y, v.z > high.z ? v.z : high.z);
    }
    return vec3_distance(low, high);
}

/* Whether the skeleton has the helper joints of the CMU library, which others lack. */
static int has_cmu_names(const Skeleton *skeleton)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        if (strcasecmp(skeleton->name[j], "LHipJoint") == 0)
            return 1;
    return 0;
}

/* ---- Speed ---- */

static const double speed_window = 0.2; /* s */

/* The percentile `fraction` of value[count], which is reordered; 0 if empty. */
static double percentile_of(double *value, int count, double fraction)
{
    return count > 0 ? select_double(value, (size_t)count, (size_t)(fraction * (count - 1))) : 0;
}

static double hips_speed(const Skeleton *skeleton, const PoseSample *sample, double frame_time, Vec3 up,
                         double *scratch)
{
    int step = (int)fmin(sample->frame_count, fmax(1, rint(speed_window / frame_time))), count = 0;
    int hips = (int)fmax(0, skeleton_find_role(skeleton, ROLE_HIPS));
    for (int f = 0; f + step < sample->frame_count; f += step) {
        Vec3 moved = vec3_sub(pose_sample_frame(sample, f + step)[hips], pose_sample_frame(sample, f)[hips]);
        moved = vec3_mad(moved, -vec3_dot(moved, up), up);
        scratch[count++] = vec3_norm(moved) / (step * frame_time);
    }
    return percentile_of(scratch, count, 0.9);
}

/* sample must contain consecutive frames. */
static Status measure(const Skeleton *skeleton, const PoseSample *sample, double frame_time, Vec3 up, BodyMeasures *out,
                      Error *err)
{
    const Vec3 *middle = pose_sample_frame(sample, sample->frame_count / 2);
    double left = foot_length(skeleton, middle, ROLE_LEFT_ANKLE);
    double right = foot_length(skeleton, middle, ROLE_RIGHT_ANKLE);
    FreeFall fall;
    Arena arena = {0};
    double *scratch = arena_array(&arena, (size_t)sample->frame_count, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = free_fall_measure(skeleton, sample, up, frame_time, &fall, err);
    if (!status) {
        *out = (BodyMeasures){.stature = stature_of(skeleton, middle), .has_cmu_names = has_cmu_names(skeleton),
                              .fall = fall.acceleration, .drop = fall.steepest};
        out->foot = left > 0 && right > 0 ? 0.5 * (left + right) : fmax(left, right);
        out->speed = hips_speed(skeleton, sample, frame_time, up, scratch);
        for (int f = 0; f < sample->frame_count; f++)
            scratch[f] = box_diagonal(pose_sample_frame(sample, f), sample->point_count);
        out->extent = percentile_of(scratch, sample->frame_count, 0.5);
    }
    arena_free(&arena);
    return status;
}

Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err)
{
    PoseSample sample;
    Motion head = motion_view(motion, 0, (int)fmin(motion->frame_count, first_frame + FRAMES_SEARCHED));
    Status status = pose_sample_init(&sample, skeleton, &head, first_frame, FRAMES_SEARCHED, err);
    if (status)
        return status;
    status = measure(skeleton, &sample, motion->frame_time, up, out, err);
    pose_sample_free(&sample);
    return status;
}

/* Gravity as a measure of length. */

enum { MAX_FLIGHTS = 64, MIN_FRAMES = 5 };

static const double clear_of_ground = 0.05;            /* fraction of body size */
static const double min_duration = 0.12, max_duration = 0.9; /* s: shorter ones are noise; 0.9 s is a jump of 1 m */
static const double max_misfit = 0.05;                 /* RMS deviation from the parabola over its rise */
static const double drop_window = 0.15;                /* s */
static const double min_rise = 0.25, max_rise = 2;     /* rise of the parabola over the clearance */

/* Height of the body and of its lowest point in each frame. */
typedef struct Heights {
    int frame_count;
    double *body, *lowest;
} Heights;

/* Mean height of the joints with a role, as an approximation of the centre of mass; without roles that of the root. */
static double body_height(const Skeleton *s, const Vec3 *position, Vec3 up)
{
    double sum = 0;
    int count = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE) {
            sum += vec3_dot(position[j], up);
            count++;
        }
    return count > 0 ? sum / count : vec3_dot(position[0], up);
}

/* Least-squares fit of y = c + b t + a t2 over t = -T/2 .. T/2. Returns -2 a, the downward acceleration, and the RMS
 * residual. With t centred the odd sums vanish: b = sum t y / s2, a = (n sum t2 y - s2 sum y) / (n s4 - s2 s2). */
static double fit_parabola(const double *y, int n, double dt, double *misfit)
{
    double s2 = 0, s4 = 0, sy = 0, sty = 0, stty = 0, square = 0;
    for (int i = 0; i < n; i++) {
        double t = (i - 0.5 * (n - 1)) * dt;
        s2 += t * t;
        s4 += t * t * t * t;
        sy += y[i];
        sty += t * y[i];
        stty += t * t * y[i];
    }
    double a = (n * stty - s2 * sy) / (n * s4 - s2 * s2), b = sty / s2, c = (sy - a * s2) / n;
    for (int i = 0; i < n; i++) {
        double t = (i - 0.5 * (n - 1)) * dt, off = y[i] - c - b * t - a * t * t;
        square += off * off;
    }
    *misfit = sqrt(square / n);
    return -2 * a;
}

/* Acceleration over n frames from start; 0 if they are not a free fall. */
static double acceleration_of(const Heights *h, int start, int n, double ground, double dt)
{
    double duration = (n - 1) * dt, misfit, clearance = 0;
    if (n < MIN_FRAMES || duration < min_duration || duration > max_duration)
        return 0;
    double acceleration = fit_parabola(h->body + start, n, dt, &misfit);
    double rise = acceleration * duration * duration / 8; /* of the parabola above its ends */
    for (int i = start; i < start + n; i++)
        clearance = fmax(clearance, h->lowest[i] - ground);
    if (!(rise > min_rise * clearance) || rise > max_rise * clearance || misfit > max_misfit * rise)
        return 0;
    return acceleration;
}

static double median(double *value, size_t count)
{
    if (count == 0)
        return 0;
    return 0.5 * (select_double(value, count, (count - 1) / 2) + select_double(value, count, count / 2));
}

static double median_of_flights(const Heights *h, double ground, double clear, double dt)
{
    double found[MAX_FLIGHTS] = {0};
    size_t count = 0;
    int start = 0;
    for (int f = 0; f <= h->frame_count && count < MAX_FLIGHTS; f++) {
        if (f < h->frame_count && h->lowest[f] > ground + clear)
            continue;
        double acceleration = f > start ? acceleration_of(h, start, f - start, ground, dt) : 0;
        if (acceleration > 0)
            found[count++] = acceleration;
        start = f + 1;
    }
    return median(found, count);
}

/* The 98th percentile of the downward accelerations of all windows. */
static double steepest_drop(const Heights *h, double dt, double *scratch)
{
    int window = (int)fmin(h->frame_count + 1, fmax(MIN_FRAMES, rint(drop_window / dt) + 1));
    int count = h->frame_count - window + 1;
    double misfit;
    for (int f = 0; f < count; f++)
        scratch[f] = fit_parabola(h->body + f, window, dt, &misfit);
    return percentile_of(scratch, count, 0.98);
}

static Status measure_heights(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, Heights *out, Arena *arena,
                              Error *err)
{
    size_t frames = (size_t)sample->frame_count;
    *out = (Heights){.frame_count = sample->frame_count,
                     .body = arena_array(arena, frames, 1, sizeof *out->body),
                     .lowest = arena_array(arena, frames, 1, sizeof *out->lowest)};
    if (arena->failed)
        return error_no_memory(err);
    for (int f = 0; f < out->frame_count; f++) {
        out->body[f] = body_height(skeleton, pose_sample_frame(sample, f), up);
        out->lowest[f] = pose_sample_lowest(sample, f, up);
    }
    return STATUS_OK;
}

Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err)
{
    Arena arena = {0};
    Heights h;
    double ground, spread;
    *out = (FreeFall){0};
    if (sample->frame_count < MIN_FRAMES)
        return STATUS_OK;
    Status status = pose_sample_ground(sample, up, &ground, &spread, err);
    if (!status)
        status = measure_heights(skeleton, sample, up, &h, &arena, err);
    if (!status) {
        double clear = clear_of_ground * pose_sample_size(sample);
        out->acceleration = median_of_flights(&h, ground, clear, frame_time);
        out->steepest = fmax(0, steepest_drop(&h, frame_time, h.lowest)); /* reuses the array */
    }
    arena_free(&arena);
    return status;
}

const char *unit_name(double meters_per_unit)
{
    for (int u = 0; u < unit_rows_count; u++)
        if (fabs(meters_per_unit - unit_rows[u].metres) <= 1e-9 * unit_rows[u].metres)
            return unit_rows[u].name;
    return NULL;
}

double unit_from_text(const char *text)
{
    for (int u = 0; u < unit_rows_count; u++)
        if (strcasecmp(text, unit_rows[u].name) == 0)
            return unit_rows[u].metres;
    char *end;
    double metres = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(metres) && metres > 0 ? metres : 0;
}

/* The table's rows are in the order of the enum. */
static double model(UnitParameter parameter) { return unit_model_rows[parameter].value; }

static const double half_log_two_pi = 0.91893853320467274178, log_student_4 = -0.98082925301172619; /* ln(3/8) */
static const double surest = 0.9995; /* upper bound: one error in two thousand */
static const double log_unit_range = 13.815510557964274; /* an unnamed unit is between 1e-5 and 10 m */

static double spread_off(double value, double expected, double spread)
{
    return elementary_log(value / expected) / spread;
}

/* Log densities of ln value. */
static double log_normal(double value, double expected, double spread)
{
    double z = spread_off(value, expected, spread);
    return -0.5 * z * z - elementary_log(spread) - half_log_two_pi;
}

/* Student's t with 4 degrees of freedom: a normal distribution with heavier tails, robust to a single outlier. */
static double log_student(double value, double expected, double spread)
{
    double z = spread_off(value, expected, spread);
    return -2.5 * elementary_log(1 + z * z / 4) - elementary_log(spread) + log_student_4;
}

/* Constant up to the limit; beyond it at least the fraction of artifacts. */
static double log_limited(double value, double limit, double spread)
{
    double z = value > limit ? spread_off(value, limit, spread) : 0;
    return elementary_log(model(UNIT_GLITCH) + (1 - model(UNIT_GLITCH)) * elementary_exp(-0.5 * z * z));
}

/* ln(e^a + e^b) */
static double log_sum(double a, double b) { return fmax(a, b) + elementary_log(1 + elementary_exp(-fabs(a - b))); }

/* Log density of the stature, m, of an adult, a child or a figurine. */
static double log_human(double stature, const UnitRow *unit, int is_library)
{
    double adults = 1 - model(UNIT_CHILD) - model(UNIT_FIGURE);
    double adult = is_library && unit->cmu > 0.5 ? log_normal(stature, model(UNIT_CMU_STATURE), model(UNIT_CMU_SPREAD))
                       : log_student(stature, model(UNIT_ADULT_STATURE), model(UNIT_ADULT_SPREAD));
    double child = log_normal(stature, model(UNIT_CHILD_STATURE), model(UNIT_CHILD_SPREAD));
    double figure = log_normal(stature, model(UNIT_FIGURE_STATURE), model(UNIT_FIGURE_SPREAD));
    return log_sum(log_sum(elementary_log(adults) + adult, elementary_log(model(UNIT_CHILD)) + child),
                   elementary_log(model(UNIT_FIGURE)) + figure);
}

/* Log prior plus log likelihood of a unit. */
static double log_unit(const BodyMeasures *m, const UnitRow *unit)
{
    double u = unit->metres, prior = m->has_cmu_names ? unit->cmu : unit->human, score = 0;
    if (m->stature > 0)
        score += elementary_log(prior) + log_human(m->stature * u, unit, m->has_cmu_names);
    else
        score += elementary_log(unit->other);
    if (!(m->stature > 0) && m->extent > 0)
        score += log_normal(m->extent * u, model(UNIT_CREATURE_EXTENT), model(UNIT_CREATURE_SPREAD));
    if (m->fall > 0)
        score += log_student(m->fall * u, model(UNIT_GRAVITY), model(UNIT_FALL_SPREAD));
    if (m->drop > 0)
        score += log_limited(m->drop * u, model(UNIT_DROP_LIMIT), model(UNIT_DROP_SPREAD));
    if (m->speed > 0)
        score += log_limited(m->speed * u, model(UNIT_SPEED_LIMIT), model(UNIT_SPEED_SPREAD));
    return score;
}

/* Log score of an unnamed unit: uniform in the logarithm of size, and with the best fit to free fall. */
static double log_nameless(const BodyMeasures *m)
{
    double probability = m->stature > 0 ? model(UNIT_NAMELESS) : model(UNIT_NAMELESS_OTHER);
    double falls = m->fall > 0 ? log_student_4 - elementary_log(model(UNIT_FALL_SPREAD)) : 0;
    return elementary_log(probability) - elementary_log(log_unit_range) + falls;
}

/* The fraction of adults whose size is within the tolerance of this body's, with the logistic as an approximation of
 * the normal distribution function. */
static double fraction_within_tolerance(const BodyMeasures *m, double metres)
{
    double typical = model(m->has_cmu_names ? UNIT_CMU_STATURE : UNIT_ADULT_STATURE);
    double off = elementary_log(m->stature * metres / typical), tolerance = elementary_log(UNIT_TOLERANCE);
    double slope = 1.702 / model(UNIT_PERSON_SPREAD);
    return 1 / (1 + elementary_exp(-slope * (off + tolerance))) - 1 / (1 + elementary_exp(-slope * (off - tolerance)));
}

double unit_from_measures(const BodyMeasures *measures, double *confidence)
{
    int best = 0;
    double best_score = log_unit(measures, &unit_rows[0]), nameless = log_nameless(measures), total = nameless;
    for (int u = 0; u < unit_rows_count; u++) {
        double score = log_unit(measures, &unit_rows[u]);
        total = log_sum(total, score);
        if (score > best_score) {
            best = u;
            best_score = score;
        }
    }
    double named = elementary_exp(best_score - total), metres = unit_rows[best].metres, size_alone = 0;
    if (measures->stature > 0)
        size_alone = elementary_exp(nameless - total) * fraction_within_tolerance(measures, metres);
    *confidence = fmin(named + size_alone, surest);
    return metres;
}

/* Positions of the whole skeleton in some frames of a motion. */

/* Copies evenly spaced frames, fewer than all, to a motion of their own. */
static Status pick_frames(const Motion *motion, int frames, Motion *out, Error *err)
{
    int has_translation = motion->translation != NULL;
    Status status = motion_space(out, frames, motion->joint_count, motion->frame_time, has_translation, err);
    size_t joints = (size_t)motion->joint_count;
    for (int i = 0; !status && i < frames; i++) {
        long long last = motion->frame_count - 1;
        size_t frame = (size_t)(frames > 1 ? i * last / (frames - 1) : 0);
        size_t from = frame * joints, to = (size_t)i * joints;
        out->root_position[i] = motion->root_position[frame];
        memcpy(out->rotation + to, motion->rotation + from, joints * sizeof *out->rotation);
        if (motion->translation)
            memcpy(out->translation + to, motion->translation + from, joints * sizeof *out->translation);
    }
    return status;
}

static void place_rest(const Skeleton *s, Vec3 *rest)
{
    skeleton_rest_positions(s, rest);
    for (int e = 0; e < s->end_count; e++)
        rest[s->joint_count + e] = vec3_add(rest[s->end_parent[e]], s->end_offset[e]);
}

/* Positions of joints and end sites in one frame from the poses of the joints. */
static void place_points(const Skeleton *s, const Vec3 *joint, const Quat *orientation, Vec3 *point)
{
    memcpy(point, joint, (size_t)s->joint_count * sizeof *point);
    for (int e = 0; e < s->end_count; e++) {
        int j = s->end_parent[e];
        point[s->joint_count + e] = vec3_add(joint[j], quat_rotate(orientation[j], s->end_offset[e]));
    }
}

static Status place_frames(PoseSample *sample, const Skeleton *skeleton, const Motion *picked, Error *err)
{
    size_t frames = (size_t)picked->frame_count, joints = (size_t)skeleton->joint_count;
    Arena arena = {0};
    Vec3 *position = arena_space(&arena, frames, joints, sizeof *position);
    Quat *orientation = arena_space(&arena, frames, joints, sizeof *orientation);
    ClipView clip = {.skeleton = skeleton, .motion = picked};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&clip, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, err);
    for (size_t f = 0; !status && f < frames; f++)
        place_points(skeleton, position + f * joints, orientation + f * joints,
                     sample->position + f * (size_t)sample->point_count);
    arena_free(&arena);
    return status;
}

Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err)
{
    int left = motion->frame_count - first_frame, frames = left < max_frames ? left : max_frames;
    size_t points = (size_t)skeleton->joint_count + (size_t)skeleton->end_count;
    Motion picked = {0};
    Status status = STATUS_OK;
    *sample = (PoseSample){.frame_count = frames > 0 ? frames : 1, .point_count = (int)points};
    sample->position = array_space((size_t)sample->frame_count, points, sizeof *sample->position);
    sample->rest = array_new(points, 1, sizeof *sample->rest);
    if (!sample->position || !sample->rest) {
        status = error_no_memory(err);
        goto done;
    }
    place_rest(skeleton, sample->rest);
    if (frames < 1) {
        memcpy(sample->position, sample->rest, points * sizeof *sample->rest);
        goto done;
    }
    Motion all = motion_view(motion, first_frame, left);
    if (frames < left)
        status = pick_frames(&all, frames, &picked, err);
    if (!status)
        status = place_frames(sample, skeleton, frames < left ? &picked : &all, err);
done:
    motion_free(&picked);
    if (status)
        pose_sample_free(sample);
    return status;
}

void pose_sample_free(PoseSample *sample)
{
    if (!sample)
        return;
    free(sample->position);
    free(sample->rest);
    *sample = (PoseSample){0};
}

double pose_sample_size(const PoseSample *sample)
{
    const Vec3 *posed = pose_sample_frame(sample, 0);
    double size = 0;
    for (int p = 1; p < sample->point_count; p++)
        size = fmax(size, fmax(vec3_distance(sample->rest[p], sample->rest[0]), vec3_distance(posed[p], posed[0])));
    return size;
}

double pose_sample_lowest(const PoseSample *sample, int frame, Vec3 up)
{
    const Vec3 *position = pose_sample_frame(sample, frame);
    double low = vec3_dot(position[0], up);
    for (int p = 1; p < sample->point_count; p++) {
        double height = vec3_dot(position[p], up);
        low = height < low ? height : low;
    }
    return low;
}

Status pose_sample_ground(const PoseSample *sample, Vec3 up, double *height, double *spread, Error *err)
{
    size_t frames = (size_t)sample->frame_count, last = frames - 1;
    double *low = array_new(frames, 1, sizeof *low);
    if (!low)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++)
        low[f] = pose_sample_lowest(sample, (int)f, up);
    *height = select_double(low, frames, last / 4);
    *spread = select_double(low, frames, last - last / 4) - select_double(low, frames, last / 20);
    free(low);
    return STATUS_OK;
}

enum { AXIS_COUNT = 6 };

/* Prior log odds: most files are Y up, then Z up; a negative axis is rare. */
static const double prior[AXIS_COUNT] = {-1.0, 0.8, 0.4, -2.0, -2.0, -2.0};
/* Weights of the measures, in log odds at their full value 1. */
static const double posed_weight = 6, rest_weight = 1.5, level_weight = 1.0, zero_weight = 1.0, travel_weight = 1.0;

static const char *const axis_names[] = {"", "X", "Y", "Z", "-X", "-Y", "-Z"};

const char *up_axis_name(UpAxis up) { return up >= UP_AUTO && up <= UP_MINUS_Z ? axis_names[up] : ""; }

UpAxis up_axis_from_text(const char *text)
{
    if (*text == '+')
        text++;
    for (UpAxis up = UP_X; up <= UP_MINUS_Z; up++)
        if (strcasecmp(text, axis_names[up]) == 0)
            return up;
    return UP_AUTO;
}

Vec3 up_axis_rotate(UpAxis up, Vec3 v)
{
    switch (up) {
    case UP_X: return vec3(-v.y, v.x, v.z);         /* +90 deg about Z */
    case UP_Z: return vec3(v.x, v.z, -v.y);         /* -90 deg about X */
    case UP_MINUS_X: return vec3(v.y, -v.x, v.z);   /* -90 deg about Z */
    case UP_MINUS_Y: return vec3(v.x, -v.y, -v.z);  /* 180 deg about X */
    case UP_MINUS_Z: return vec3(v.x, -v.z, v.y);   /* +90 deg about X */
    default: return v;
    }
}

Vec3 up_axis_vector(UpAxis up)
{
    switch (up) {
    case UP_X: return vec3(1, 0, 0);
    case UP_Z: return vec3(0, 0, 1);
    case UP_MINUS_X: return vec3(-1, 0, 0);
    case UP_MINUS_Y: return vec3(0, -1, 0);
    case UP_MINUS_Z: return vec3(0, 0, -1);
    default: return vec3(0, 1, 0);
    }
}

/* Midpoint of two joints, or the one that is present (index < 0: absent). */
static Vec3 middle(const Vec3 *position, int a, int b)
{
    if (a < 0 || b < 0)
        return position[a < 0 ? b : a];
    return vec3_scale(vec3_add(position[a], position[b]), 0.5);
}

/* The ends of the body's long axis: joint indices, -1: absent. */
typedef struct LongAxis {
    int top, left, right;
} LongAxis;

static int first_of(const Skeleton *s, const Role *role, int count)
{
    for (int i = 0; i < count; i++)
        if (skeleton_find_role(s, role[i]) >= 0)
            return skeleton_find_role(s, role[i]);
    return -1;
}

static LongAxis long_axis(const Skeleton *s)
{
    const Role top[] = {ROLE_HEAD, ROLE_NECK, ROLE_CHEST, ROLE_SPINE, ROLE_HIPS};
    const Role left[] = {ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, right[] = {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE};
    return (LongAxis){first_of(s, top, 5), first_of(s, left, 2), first_of(s, right, 2)};
}

static Vec3 feet_to_head(const LongAxis *axis, const Vec3 *position)
{
    if (axis->top < 0 || (axis->left < 0 && axis->right < 0))
        return vec3(0, 0, 0);
    return vec3_normalize(vec3_sub(position[axis->top], middle(position, axis->left, axis->right)));
}

/* How little the first point moves along each axis relative to the axis of largest motion, 0..1 each; all near 1 if it
 * hardly moves. */
static Vec3 stays(const PoseSample *sample, double size)
{
    Vec3 mean = vec3(0, 0, 0), square = vec3(0, 0, 0);
    double weight = 1.0 / sample->frame_count;
    for (int f = 0; f < sample->frame_count; f++)
        mean = vec3_mad(mean, weight, pose_sample_frame(sample, f)[0]);
    for (int f = 0; f < sample->frame_count; f++) {
        Vec3 d = vec3_sub(pose_sample_frame(sample, f)[0], mean);
        square = vec3_mad(square, weight, vec3(d.x * d.x, d.y * d.y, d.z * d.z));
    }
    double widest = sqrt(fmax(square.x, fmax(square.y, square.z))) + 0.2 * size;
    return vec3(1 - sqrt(square.x) / widest, 1 - sqrt(square.y) / widest, 1 - sqrt(square.z) / widest);
}

/* Measures of every axis, each 0..1 or the cosine of a direction with the axis. */
typedef struct Posture {
    Vec3 posed; /* mean direction from the feet to the head */
    Vec3 rest;  /* the same in the rest pose */
    Vec3 stays;
} Posture;

static Posture posture_of(const Skeleton *skeleton, const PoseSample *sample, double size)
{
    LongAxis axis = long_axis(skeleton);
    Posture p = {vec3(0, 0, 0), feet_to_head(&axis, sample->rest), stays(sample, size)};
    for (int f = 0; f < sample->frame_count; f++)
        p.posed = vec3_mad(p.posed, 1.0 / sample->frame_count, feet_to_head(&axis, pose_sample_frame(sample, f)));
    return p;
}

/* Log odds of an axis. The ground is level if the lowest points of the frames agree. */
static Status score_axis(const PoseSample *sample, const Posture *posture, int axis, double size, double *score,
                         Error *err)
{
    Vec3 direction = up_axis_vector((UpAxis)(UP_X + axis));
    double height, spread;
    Status status = pose_sample_ground(sample, direction, &height, &spread, err);
    if (status)
        return status;
    double level = spread / (0.05 * size), zero = height / (0.1 * size);
    *score = prior[axis] + posed_weight * vec3_dot(posture->posed, direction) +
             rest_weight * vec3_dot(posture->rest, direction) + level_weight / (1 + level * level) +
             zero_weight / (1 + zero * zero) + travel_weight * fabs(vec3_dot(posture->stays, direction));
    return STATUS_OK;
}

Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, UpAxis *up, double *confidence,
                          Error *err)
{
    double score[AXIS_COUNT], size = fmax(pose_sample_size(sample), 1e-300), total = 0;
    Posture posture = posture_of(skeleton, sample, size);
    int best = 0;
    for (int a = 0; a < AXIS_COUNT; a++) {
        Status status = score_axis(sample, &posture, a, size, &score[a], err);
        if (status)
            return status;
        best = score[a] > score[best] ? a : best;
    }
    for (int a = 0; a < AXIS_COUNT; a++)
        total += elementary_exp(score[a] - score[best]);
    *up = (UpAxis)(UP_X + best);
    *confidence = 1 / total;
    return STATUS_OK;
}
