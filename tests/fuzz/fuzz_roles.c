/* Roles under libFuzzer. A line is a joint: one byte for the distance to its parent, three for its offset, then its
 * name. For any names and tree, roles satisfy their invariants. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/body/roles.h"

#define MAX_JOINTS 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void read_joint(Skeleton *s, int j, const uint8_t *line, size_t size)
{
    char name[64];
    size_t length = size > 4 ? size - 4 : 0;
    if (length >= sizeof name)
        length = sizeof name - 1;
    if (length)
        memcpy(name, line + 4, length);
    name[length] = 0;
    require(skeleton_set_name(s, j, name, NULL) == STATUS_OK);
    int back = size > 0 ? 1 + line[0] % 16 : 1;
    s->parent[j] = j == 0 ? -1 : j - back < 0 ? 0 : j - back;
    for (size_t i = 1; i < 4 && i < size; i++)
        (&s->offset[j].x)[i - 1] = ((int)line[i] - 128) / 100.0;
}

static void check_roles(const Skeleton *s)
{
    int holders[ROLE_COUNT] = {0};
    for (int j = 0; j < s->joint_count; j++) {
        require((unsigned)s->role[j] < ROLE_COUNT && (unsigned)s->segment[j] < ROLE_COUNT);
        holders[s->role[j]]++;
        require(s->role[j] == ROLE_NONE || s->segment[j] == s->role[j]);
    }
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        require(holders[r] <= 1);
}

static void check_body(const Skeleton *s)
{
    BodyDef def = body_default_def();
    Body body = {0};
    Error err = {0};
    double sum = 0;
    Status status = body_from_skeleton(s, &def, &body, &err);
    require(status != STATUS_INTERNAL && (status == STATUS_OK || err.text[0]));
    for (int j = 0; j < s->joint_count && status == STATUS_OK; j++) {
        require(body.mass[j] >= 0);
        sum += body.mass[j];
    }
    require(status != STATUS_OK || (sum > 0.999999 * body.total_mass && sum < 1.000001 * body.total_mass));
    body_free(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Skeleton s;
    int count = 1, j = 0;
    for (size_t i = 0; i < size; i++)
        count += data[i] == '\n';
    if (count > MAX_JOINTS)
        return 0;
    require(skeleton_init(&s, count, 0, NULL) == STATUS_OK);
    for (const uint8_t *at = data, *end = data + size; j < count; j++) {
        const uint8_t *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        size_t length = stop ? (size_t)(stop - at) : (size_t)(end - at);
        read_joint(&s, j, at, length);
        at += length + (stop != NULL);
    }
    Error err = {0};
    Status status = roles_assign(&s, &(RoleSigns){0}, &err);
    require(status == STATUS_OK);
    check_roles(&s);
    check_body(&s);
    skeleton_free(&s);
    return 0;
}
