/* analysis/uncertainty/recording_noise: the size of noise that is measured and of what the motion hides. */
#include "analysis/uncertainty/recording_noise.h"
#include "tests/support/test.h"

#include <math.h>

TEST(hidden_noise_ends_at_8_hz)
{
    (void)state;
    assert_near(recording_noise_size(0, 0.002, 5, 0.01), 0.002, 1e-15);
    assert_near(recording_noise_size(0, 0.002, 8, 0.01), 0.002, 1e-15);
    for (double cutoff = 10; cutoff < 45; cutoff *= 2) /* accelerations as at 8 Hz */
        assert_near(recording_noise_size(0, 0.002, cutoff, 0.01) * pow(cutoff, 2.5), 0.002 * pow(8, 2.5), 1e-12);
    assert_near(recording_noise_size(0, 0.002, 0, 0.01), recording_noise_size(0, 0.002, NOISE_CUTOFF, 0.01), 0);
}

TEST(measured_noise_passes_up_to_the_cutoff)
{
    (void)state;
    assert_near(recording_noise_size(0.004, 0, 20, 0.01), 0.004, 1e-15);
    assert_near(recording_noise_size(0.004, 0.003, 6, 0.01), 0.005, 1e-15);
}
