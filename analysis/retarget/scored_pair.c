#include "analysis/retarget/scored_pair.h"

#include "analysis/math/elementary.h"

Vec3 scored_between(const ScoredPose *p, int frame, Role from, Role to)
{
    const Vec3 *position = scored_places(p, frame);
    int a = p->reference->joint[from], b = p->reference->joint[to];
    return a < 0 || b < 0 ? vec3(0, 0, 0) : vec3_sub(position[b], position[a]);
}

double scored_angle(Vec3 a, Vec3 b)
{
    return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * 180 / PI;
}

void score_add(ScoreMean *mean, double value, int frame)
{
    if (mean->count == 0 || value > mean->most) {
        mean->most = value;
        mean->frame = frame;
    }
    mean->sum += value;
    mean->count++;
}

double score_mean(const ScoreMean *mean) { return mean->count > 0 ? mean->sum / mean->count : NAN; }

double score_worst(const ScoreMean *mean) { return mean->count > 0 ? mean->frame : NAN; }
