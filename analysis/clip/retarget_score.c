#include "analysis/clip/retarget_score.h"

#include <stddef.h>
#include <string.h>

#define FIGURE_PLACE(name) {#name, offsetof(RetargetScore, name)},

static const struct {
    const char *name;
    size_t offset;
} figures[] = {RETARGET_FIGURES(FIGURE_PLACE)};

/* Whether the figure counts frames of the clip; that of the character's rest pose counts frames of its file. */
static int is_frame_of_clip(const char *name)
{
    size_t length = strlen(name), ending = strlen("_frame");
    return length > ending && !strcmp(name + length - ending, "_frame") && strcmp(name, "target_rest_frame") != 0;
}

void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double *frame = (double *)((char *)score + figures[i].offset);
        if (!is_frame_of_clip(figures[i].name) || !(*frame >= 0))
            continue;
        *frame = rint((*frame - first) * ratio);
        if (*frame < 0 || *frame >= frame_count)
            *frame = NAN;
    }
}
