/* formats/container under libFuzzer. The input edits a valid clip file: 'i' bytes of the image, which a child process
 * then reads; 'l' bytes of the layout that such a child returns, 'f' those too, with all findings listed. Each edit is
 * two bytes of position and one of value. No edit may crash this process, and accepted clips are valid. Crashes of
 * libhdf5 in the child leave an artifact but do not stop the run. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/container/container_layout.h"
#include "tests/support/sample_clip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_clip(const Clip *c)
{
    const Skeleton *s = &c->skeleton;
    require(s->joint_count > 0 && c->motion.frame_count > 0 && c->motion.joint_count == s->joint_count);
    for (int j = 0; j < s->joint_count; j++)
        require(s->name[j] && s->parent[j] < j && s->parent[j] >= (j ? 0 : -1) && (unsigned)s->role[j] < ROLE_COUNT);
    for (int e = 0; e < s->end_count; e++)
        require(s->end_parent[e] >= 0 && s->end_parent[e] < s->joint_count);
    for (int f = 1; f < c->motion.frame_count; f++)
        require(c->motion.time[f] > c->motion.time[f - 1]);
    for (int i = 0; i < s->joint_count && c->has_dynamics; i++)
        require(isfinite(c->dynamics.torque[i].x));
}

static void apply(const uint8_t *data, size_t size, void *bytes, size_t length)
{
    for (size_t i = 0; i + 3 <= size; i += 3)
        ((uint8_t *)bytes)[(size_t)(data[i] | data[i + 1] << 8) % length] = data[i + 2];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Clip clip, back;
    ContainerImage image;
    ContainerLayout layout;
    Scratch scratch;
    ContainerFindings findings = {0};
    ContainerDef def = container_default_def();
    if (size < 1 || sample_clip(&clip, 2, 3, 1))
        return 0;
    require(container_encode(&clip, &def, &image, NULL) == STATUS_OK);
    Status status;
    if (data[0] == 'i') {
        apply(data + 1, size - 1, image.bytes, image.size);
        status = container_decode_guarded(&image, &back, NULL, 0, NULL);
    } else {
        require(container_layout(&image, &layout, &scratch, NULL) == STATUS_OK);
        apply(data + 1, size - 1, &layout, sizeof layout);
        status = container_assemble(&image, &layout, &scratch, &back, data[0] == 'f' ? &findings : NULL, NULL);
        free(scratch.bytes);
    }
    require(status == STATUS_OK || status == STATUS_BAD_INPUT || status == STATUS_NO_MEMORY);
    if (status == STATUS_OK && findings.count == 0)
        check_clip(&back);
    clip_free(&back);
    container_image_free(&image);
    clip_free(&clip);
    return 0;
}
