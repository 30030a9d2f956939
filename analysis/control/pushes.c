/* See pushes.h. */
#include "analysis/control/pushes.h"

#include <math.h>
#include <strings.h>

#define MIN_WIDTH 1e-3 /* m, horizontal distance of the hips that shows left */

typedef struct DirectionWord {
    const char *word;
    PushDirection direction;
} DirectionWord;

static const DirectionWord words[] = {
    {"forward", {1, {0, 0, 1}}}, {"back", {1, {0, 0, -1}}}, {"left", {1, {1, 0, 0}}},      {"right", {1, {-1, 0, 0}}},
    {"up", {1, {0, 1, 0}}},      {"down", {1, {0, -1, 0}}}, {"front", {1, {0, 0, 1}}},
    {"backward", {1, {0, 0, -1}}},
    {"X", {0, {1, 0, 0}}},       {"Y", {0, {0, 1, 0}}},     {"Z", {0, {0, 0, 1}}},         {"-X", {0, {-1, 0, 0}}},
    {"-Y", {0, {0, -1, 0}}},     {"-Z", {0, {0, 0, -1}}},
};

int push_direction_parse(const char *word, PushDirection *out)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(word, words[i].word)) {
            *out = words[i].direction;
            return 1;
        }
    return 0;
}

int push_is_sound(const Push *push)
{
    return isfinite(push->force) && push->force > 0 && isfinite(push->seconds) && push->seconds > 0 &&
           isfinite(push->start) && push->start >= 0 && isfinite(vec3_norm(push->point));
}

double push_share(const Push *push, double time, double dt)
{
    double from = fmax(time, push->start), to = fmin(time + dt, push->start + push->seconds);
    return to > from ? (to - from) / dt : 0;
}

/* Horizontal unit vector from the joint of one role to that of another. Returns 0 if the body does not show it. */
static int across(const Skeleton *skeleton, const Kinematics *now, Vec3 up, const Role side[2], Vec3 *out)
{
    int right = skeleton_find_role(skeleton, side[0]), left = skeleton_find_role(skeleton, side[1]);
    if (right < 0 || left < 0)
        return 0;
    Vec3 between = vec3_sub(now->position[left], now->position[right]);
    Vec3 level = vec3_mad(between, -vec3_dot(between, up), up);
    *out = vec3_normalize(level);
    return vec3_norm(level) > MIN_WIDTH;
}

Status push_direction(const PushDirection *direction, const Skeleton *skeleton, const Kinematics *now, Vec3 up,
                      Vec3 *out, Error *err)
{
    static const Role hips[2] = {ROLE_RIGHT_HIP, ROLE_LEFT_HIP};
    static const Role shoulders[2] = {ROLE_RIGHT_SHOULDER, ROLE_LEFT_SHOULDER};
    Vec3 axis = direction->axis, left = {0, 0, 0};
    int is_vertical = axis.x == 0 && axis.z == 0;
    if (!direction->of_character) {
        *out = axis;
        return STATUS_OK;
    }
    if (!is_vertical && !across(skeleton, now, up, hips, &left) && !across(skeleton, now, up, shoulders, &left))
        return error_set(err, STATUS_BAD_INPUT, "forward, back, left and right of a push or throw need left and right "
                                                "hips or shoulders side by side: give X, Y or Z");
    Vec3 front = vec3_cross(left, up);
    *out = vec3_mad(vec3_mad(vec3_scale(left, axis.x), axis.y, up), axis.z, front);
    return STATUS_OK;
}
