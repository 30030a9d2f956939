/* Example of the library: prints the largest torque of each joint of a clip, one line each.
 * usage: example FILE.bvh [OPTION VALUE]...      options as in `kane run`, without leading dashes: body-mass 62 */
#include <kane.h>

#include <math.h>
#include <stdio.h>

static double norm(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Returns the frame with the largest torque of a joint. */
static size_t find_peak(const double *torque, const size_t shape[3], size_t joint)
{
    size_t peak = 0;
    for (size_t f = 1; f < shape[0]; f++)
        if (norm(torque + (f * shape[1] + joint) * 3) > norm(torque + (peak * shape[1] + joint) * 3))
            peak = f;
    return peak;
}

static void print_peaks(const KaneClip *clip)
{
    size_t shape[3];
    const double *torque = kane_array(clip, "/dynamics/torque", shape), *time = kane_array(clip, "/time", NULL);
    printf("%d frames, %d joints, %.1f kg\n", kane_frame_count(clip), kane_joint_count(clip), kane_total_mass(clip));
    for (size_t j = 1; j < shape[1]; j++) {
        size_t peak = find_peak(torque, shape, j);
        printf("%-14s %6.1f N m at %.2f s\n", kane_joint_name(clip, (int)j), norm(torque + (peak * shape[1] + j) * 3),
               time[peak]);
    }
}

int main(int argc, char **argv)
{
    KaneError error = {0};
    KaneClip *clip = NULL;
    KaneOptions *options = kane_options_create();
    int failed = argc < 2 || !options;
    if (failed)
        fprintf(stderr, "usage: %s FILE.bvh [OPTION VALUE]...\n", argv[0]);
    for (int i = 2; i + 1 < argc && !failed; i += 2)
        failed = kane_options_set(options, argv[i], argv[i + 1], &error);
    if (!failed)
        failed = kane_open(argv[1], options, &clip, &error);
    if (!failed)
        failed = kane_run(clip, options, &error);
    if (!failed)
        failed = kane_save(clip, "example.h5", &error);
    if (!failed)
        print_peaks(clip);
    else if (error.status)
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], error.line, error.column, error.text);
    kane_close(clip);
    kane_options_destroy(options);
    return failed != 0;
}
