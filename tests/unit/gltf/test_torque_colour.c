/* formats/gltf/torque_colour: colour steps sum to the scale, luminance increases with torque, ends are clamped. */
#include "tests/support/test.h"

#include "formats/gltf/torque_colour.h"

static Vec3 colour_at(double nm_kg)
{
    float weight[TORQUE_COLOUR_STEPS];
    Vec3 colour = torque_colour_first();
    torque_colour_weights(nm_kg / TORQUE_COLOUR_MAX, weight);
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        colour = vec3_mad(colour, weight[i], torque_colour_step(i));
    return colour;
}

/* Relative luminance of linear RGB (ITU-R BT.709). */
static double luminance(Vec3 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

TEST(colour_brightens_with_torque)
{
    for (int i = 0; i < 60; i++)
        assert_true(luminance(colour_at(TORQUE_COLOUR_MAX * (i + 1) / 60)) >
                    luminance(colour_at(TORQUE_COLOUR_MAX * i / 60)));
}

TEST(colour_scale_is_piecewise_linear_and_continuous)
{
    double stop = TORQUE_COLOUR_MAX / TORQUE_COLOUR_STEPS;
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++) {
        Vec3 mean = vec3_scale(vec3_add(colour_at(i * stop), colour_at((i + 1) * stop)), 0.5);
        assert_vec3_near(colour_at((i + 0.5) * stop), mean, 1e-7);
        assert_vec3_near(vec3_sub(colour_at((i + 1) * stop), colour_at(i * stop)), torque_colour_step(i), 1e-7);
    }
}

TEST(torques_off_the_scale_are_clamped)
{
    assert_vec3_near(colour_at(-1), torque_colour_first(), 0);
    assert_vec3_near(colour_at(NAN), torque_colour_first(), 0);
    assert_vec3_near(colour_at(INFINITY), colour_at(TORQUE_COLOUR_MAX), 0);
}
