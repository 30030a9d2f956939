/* See bvh_scale.h. */
#include "formats/bvh/bvh_scale.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "formats/bvh/bvh_cut.h"

static const double digits_of_one = 1e-4; /* as programs round a scale of 1 */

static int is_scale(BvhChannel channel) { return channel >= BVH_XSCALE; }

static int joint_of(const Bvh *bvh, int channel)
{
    int j = 0;
    while (channel < bvh->first_channel[j] || channel >= bvh->first_channel[j] + bvh->joint_channels[j])
        j++;
    return j;
}

/* Sets *frame to the first row whose scale is not 1; returns 0 if there is none. */
static int find_change(const Bvh *bvh, int channel, int *frame)
{
    for (int f = 0; bvh->value && f < bvh->frame_count; f++) {
        double value = bvh->value[(size_t)f * (size_t)bvh->channel_count + (size_t)channel];
        if (fabs(value - 1) > digits_of_one) {
            *frame = f;
            return 1;
        }
    }
    return 0;
}

/* Whether the column has one value. */
static int is_constant(const Bvh *bvh, int channel)
{
    double first = bvh->value[channel];
    for (size_t f = 1; f < (size_t)bvh->frame_count; f++)
        if (fabs(bvh->value[f * (size_t)bvh->channel_count + (size_t)channel] - first) > digits_of_one)
            return 0;
    return 1;
}

static Status refuse(Bvh *bvh, int channel, int frame, int is_tolerant, Error *err)
{
    static const char text[] = "%cscale of joint \"%.40s\" is %g%s: bones of kane keep their length; apply the scale "
                               "in the program that wrote the file and export it without scale channels";
    int joint = joint_of(bvh, channel);
    double value = bvh->value[(size_t)frame * (size_t)bvh->channel_count + (size_t)channel];
    BvhLocation at = bvh->location ? bvh_location(bvh, frame, channel) : (BvhLocation){bvh->line[joint], 1};
    char axis = (char)('X' + bvh->channel[channel] - BVH_XSCALE);
    const char *when = is_constant(bvh, channel) ? "" : ", and changes";
    return is_tolerant ? bvh_warn(bvh, BVH_ERROR_SCALE, at, err, text, axis, bvh->name[joint], value, when)
                       : error_set_at(err, STATUS_BAD_INPUT, at.line, at.column, text, axis, bvh->name[joint], value,
                                      when);
}

Status bvh_remove_scale(Bvh *bvh, int is_tolerant, Error *err)
{
    int scales = 0, frame, refused = 0;
    Arena arena = {0};
    char *keep = arena_array(&arena, (size_t)bvh->channel_count + 1, 1, 1);
    Status status = keep ? STATUS_OK : error_no_memory(err);
    for (int c = 0; c < bvh->channel_count && !status; c++) {
        keep[c] = (char)!is_scale(bvh->channel[c]);
        scales += !keep[c];
        if (!keep[c] && !refused && find_change(bvh, c, &frame)) {
            status = refuse(bvh, c, frame, is_tolerant, err);
            refused = 1; /* one sentence for all */
        }
    }
    if (!status && scales > 0)
        status = bvh_keep_channels(bvh, keep, err);
    arena_free(&arena);
    return status;
}
