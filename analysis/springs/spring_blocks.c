/* See spring_blocks.h. */
#include "analysis/springs/spring_blocks.h"

#include "analysis/math/vec.h"

Status spring_blocks_room(SpringBlocks *b, Error *err)
{
    size_t count = (size_t)b->pair_count, joints = (size_t)b->joint_count;
    b->row = arena_array(&b->memory, count, 1, sizeof *b->row);
    b->column = arena_array(&b->memory, count, 1, sizeof *b->column);
    b->by_position = arena_array(&b->memory, count, 36, sizeof *b->by_position);
    b->by_velocity = arena_array(&b->memory, count, 36, sizeof *b->by_velocity);
    if (b->memory.failed)
        return error_no_memory(err);
    for (size_t i = 0; i < joints * joints; i++)
        if (b->pair[i] >= 0) {
            b->row[b->pair[i]] = (int)(i / joints);
            b->column[b->pair[i]] = (int)(i % joints);
        }
    return STATUS_OK;
}

void spring_blocks_free(SpringBlocks *b)
{
    arena_free(&b->memory);
    *b = (SpringBlocks){0};
}

void spring_blocks_join(SpringBlocks *b, const int *joint, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            if (joint[i] == SPRING_WORLD || joint[k] == SPRING_WORLD)
                continue;
            int *pair = &b->pair[(size_t)joint[i] * (size_t)b->joint_count + (size_t)joint[k]];
            if (*pair < 0)
                *pair = b->pair_count++;
        }
}

/* The block of a pair of joints; NULL if one is the world. */
static double *spring_block(const SpringBlocks *b, double *blocks, int row, int column)
{
    if (row == SPRING_WORLD || column == SPRING_WORLD)
        return NULL;
    return blocks + 36 * (size_t)b->pair[(size_t)row * (size_t)b->joint_count + (size_t)column];
}

static Mat3 mat3_at(const double *m, int stride, int row, int column)
{
    const double *from = m + (size_t)row * (size_t)stride + column;
    return (Mat3){{vec3_load(from), vec3_load(from + stride), vec3_load(from + 2 * stride)}};
}

/* Jacobian of a wrench by the motion of a frame, from that of a force by the motion of a point: (1, [p_i]) K (1,
 * -[p_k]). */
static void add_point_block(double *to, Mat3 k, Vec3 arm, Vec3 arm_of_motion)
{
    Mat3 lever = mat3_cross(arm), turn = mat3_scale(mat3_cross(arm_of_motion), -1), turned = mat3_product(k, turn);
    mat3_add_block(to, 6, 0, 0, 1, k);
    mat3_add_block(to, 6, 0, 3, 1, turned);
    mat3_add_block(to, 6, 3, 0, 1, mat3_product(lever, k));
    mat3_add_block(to, 6, 3, 3, 1, mat3_product(lever, turned));
}

/* Change of a point's velocity as its arm rotates: omega x (dtheta x p). */
static void add_swing(double *to, Mat3 by_velocity, const SpringPoints *p, int i, int k)
{
    Mat3 swing = mat3_product(mat3_cross(p->omega[k]), mat3_cross(p->arm[k]));
    Mat3 force = mat3_scale(mat3_product(by_velocity, swing), -1);
    mat3_add_block(to, 6, 0, 3, 1, force);
    mat3_add_block(to, 6, 3, 3, 1, mat3_product(mat3_cross(p->arm[i]), force));
}

void spring_blocks_add_points(SpringBlocks *b, const SpringPoints *p)
{
    int stride = 3 * p->count;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->count; k++) {
            double *position = spring_block(b, b->by_position, p->joint[i], p->joint[k]);
            double *velocity = spring_block(b, b->by_velocity, p->joint[i], p->joint[k]);
            if (!position)
                continue;
            add_point_block(position, mat3_at(p->by_position, stride, 3 * i, 3 * k), p->arm[i], p->arm[k]);
            Mat3 by_velocity = mat3_at(p->by_velocity, stride, 3 * i, 3 * k);
            add_point_block(velocity, by_velocity, p->arm[i], p->arm[k]);
            add_swing(position, by_velocity, p, i, k);
            if (i == k) /* the arm rotates: (dtheta x p) x f */
                mat3_add_block(position, 6, 3, 3, 1, mat3_product(mat3_cross(p->force[i]), mat3_cross(p->arm[i])));
        }
}

/* Adds the four quarters of a frame spring's Jacobian. */
void spring_blocks_add_frames(SpringBlocks *b, const int joint[2], const double *by_position,
                              const double *by_velocity)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            double *position = spring_block(b, b->by_position, joint[i], joint[k]);
            double *velocity = spring_block(b, b->by_velocity, joint[i], joint[k]);
            for (int e = 0; position && e < 36; e++) {
                int at = 12 * (6 * i + e / 6) + 6 * k + e % 6;
                position[e] += by_position[at];
                velocity[e] += by_velocity[at];
            }
        }
}
