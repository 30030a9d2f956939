/* Writing and reading clip files with all groups, 31 joints: rows `name value unit`, medians over the rounds. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/container/container.h"
#include "tests/support/sample_clip.h"
#include "tests/bench/stopwatch.h"

enum { JOINTS = 31, SMALL_CLIP = 135, LARGE_CLIP = 50000, SMALL_ROUNDS = 201, LARGE_ROUNDS = 5 };

typedef Status (*Action)(const Clip *clip, const ContainerImage *image);

static Status encode(const Clip *clip, const ContainerImage *image)
{
    ContainerDef def = container_default_def();
    ContainerImage made;
    (void)image;
    Status status = container_encode(clip, &def, &made, NULL);
    container_image_free(&made);
    return status;
}

/* Uses a memory file system if available. */
static Status write_file(const Clip *clip, const ContainerImage *image)
{
    ContainerDef def = container_default_def();
    char name[] = "/dev/shm/kane-bench-XXXXXX";
    int descriptor = mkstemp(name);
    (void)image;
    if (descriptor < 0)
        return STATUS_IO;
    Status status = container_write(clip, &def, descriptor, NULL);
    close(descriptor);
    unlink(name);
    return status;
}

static Status decode(const Clip *clip, const ContainerImage *image)
{
    Clip back;
    (void)clip;
    Status status = container_decode(image, &back, NULL);
    clip_free(&back);
    return status;
}

static Status decode_guarded(const Clip *clip, const ContainerImage *image)
{
    Clip back;
    (void)clip;
    Status status = container_decode_guarded(image, &back, NULL, 0, NULL);
    clip_free(&back);
    return status;
}

/* Median seconds per call; negative on failure. */
static double measure(Action action, const Clip *clip, const ContainerImage *image, int rounds)
{
    double time[SMALL_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        double start = wall_seconds();
        if (action(clip, image))
            return -1;
        time[i] = wall_seconds() - start;
    }
    return median(time, rounds);
}

static const struct {
    const char *name;
    Action action;
} actions[] = {{"encode", encode}, {"write", write_file}, {"decode", decode}, {"decode_guarded", decode_guarded}};

/* Rows for a clip of a given length; 0 on failure. One clip at a time: a fork costs in proportion to the memory of the
 * process. */
static int bench_clip(int frames, int rounds, int is_small)
{
    Clip clip;
    ContainerImage image = {0};
    ContainerDef def = container_default_def();
    int done = sample_clip(&clip, frames, JOINTS, 0) == 0 && container_encode(&clip, &def, &image, NULL) == STATUS_OK;
    for (size_t i = 0; i < sizeof actions / sizeof *actions && done; i++) {
        double time = measure(actions[i].action, &clip, &image, rounds);
        done = time > 0;
        if (is_small)
            printf("container_%s_small_ms %.3f ms\n", actions[i].name, 1e3 * time);
        else
            printf("container_%s_frames_per_s %.0f 1/s\n", actions[i].name, frames / time);
    }
    if (!is_small)
        printf("container_bytes_per_frame %.0f B\n", (double)image.size / frames);
    container_image_free(&image);
    clip_free(&clip);
    return done;
}

int main(void)
{
    return bench_clip(SMALL_CLIP, SMALL_ROUNDS, 1) && bench_clip(LARGE_CLIP, LARGE_ROUNDS, 0) ? 0 : 1;
}
