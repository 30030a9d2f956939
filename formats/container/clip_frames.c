/* Walks the table of the container, so that no array over frames is forgotten. */
#include "formats/container/clip_frames.h"

#include <string.h>

#include "analysis/anatomy/neutral_pose.h"
#include "formats/container/container_schema.h"

static void keep_rows(const Clip *clip, const SchemaDataset *dataset, int first, int count)
{
    char *array = schema_array(clip, dataset);
    size_t row = schema_element_size(dataset->element);
    for (int i = 1; i < schema_rank(dataset); i++)
        row *= schema_dim_size(clip, dataset->dim[i]);
    memmove(array, array + (size_t)first * row, (size_t)count * row);
}

void clip_keep_frames(Clip *clip, int first, int count)
{
    int *const counts[] = {
        &clip->motion.frame_count,    &clip->trust.frame_count,   &clip->kinematics.frame_count,
        &clip->contact.frame_count,   &clip->dynamics.frame_count, &clip->anatomy.frame_count,
        &clip->simulation.frame_count, &clip->particles.frame_count,
    };
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        if (dataset->dim[0] == DIM_FRAME && !(dataset->flags & SCHEMA_COPY) && schema_has_dataset(clip, dataset))
            keep_rows(clip, dataset, first, count);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = *counts[i] > 0 ? count : 0;
    retarget_score_move_frames(&clip->retarget, first, 1, count);
    neutral_pose_move_frames(clip->anatomy.neutral, sizeof clip->anatomy.neutral, first, count);
}
