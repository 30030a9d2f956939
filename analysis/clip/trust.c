/* See trust.h. */
#include "analysis/clip/trust.h"

#include <stddef.h>

static const char *const reason_names[] = {
    "edge",             "teleport",     "flip",             "frozen",       "interpolated",
    "unexplained",      "lost_contact", "airborne_support", "no_root_path", "adjacent_joint",
    "presumed_support", "off_plates",   "plates_doubted",   "flicker",      "drift",
    "sliding",          "swapped",      "repeated",         "uncertain",    "missing_part",
    "lost_row",
};
_Static_assert(sizeof reason_names / sizeof *reason_names == TRUST_REASON_COUNT, "every reason has its name");
_Static_assert(TRUST_LOST_ROW == 1 << (TRUST_REASON_COUNT - 1), "names stand in the order of their bits");

const char *trust_reason_name(int number)
{
    return number >= 0 && number < TRUST_REASON_COUNT ? reason_names[number] : "";
}

static int is_seen(const Trust *t, int frame)
{
    return !(t->reason[frame] & TRUST_OFF_PLATES);
}

int trust_seen_frames(const Trust *t)
{
    int seen = 0;
    for (int f = 0; f < t->frame_count; f++)
        seen += is_seen(t, f);
    return seen;
}

double trust_fraction(const Trust *t)
{
    int trusted = 0, seen = trust_seen_frames(t);
    for (int f = 0; f < t->frame_count; f++)
        trusted += t->trusted[f];
    return seen > 0 ? (double)trusted / seen : t->frame_count == 0;
}

const char *trust_commonest_reason(const Trust *t)
{
    int count[TRUST_REASON_COUNT] = {0}, max = 0, any_seen = trust_seen_frames(t) > 0;
    for (int f = 0; f < t->frame_count; f++)
        for (int i = 0; i < TRUST_REASON_COUNT && is_seen(t, f) == any_seen; i++)
            count[i] += t->reason[f] >> i & 1;
    for (int i = 1; i < TRUST_REASON_COUNT; i++)
        max = count[i] > (max > 0 ? count[max] : 0) ? i : max;
    return count[max] > 0 ? trust_reason_name(max) : "";
}

void trust_clear(Trust *t, uint32_t bits)
{
    size_t count = t->joint_reason ? (size_t)t->frame_count * (size_t)t->joint_count : 0;
    for (int f = 0; f < t->frame_count; f++)
        t->reason[f] &= ~bits;
    for (size_t i = 0; i < count; i++)
        t->joint_reason[i] &= ~bits;
}

void trust_settle(Trust *t)
{
    for (int f = 0; f < t->frame_count; f++)
        t->trusted[f] = t->reason[f] == 0;
}
