#include "analysis/math/line_segments.h"

static double clamp(double x) { return fmax(0, fmin(1, x)); }

SegmentPoints segments_nearest(const Vec3 a[2], const Vec3 b[2])
{
    Vec3 u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), w = vec3_sub(a[0], b[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w);
    double det = uu * vv - uv * uv, s = det > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0;
    double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    return (SegmentPoints){s, t};
}

Vec3 segments_apart(const Vec3 a[2], const Vec3 b[2])
{
    SegmentPoints at = segments_nearest(a, b);
    Vec3 on_a = vec3_mad(a[0], at.a, vec3_sub(a[1], a[0])), on_b = vec3_mad(b[0], at.b, vec3_sub(b[1], b[0]));
    return vec3_sub(on_a, on_b);
}
