#include "analysis/stats/profile.h"

/* Torque between the samples i and i + 1, linear in the frame number: area of the part from a to b. */
static double area(const int *frame, const double *torque, int i, double a, double b)
{
    double width = frame[i + 1] - frame[i], slope = (torque[i + 1] - torque[i]) / width;
    double middle = 0.5 * (a + b) - frame[i];
    return (torque[i] + slope * middle) * (b - a);
}

void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg)
{
    const double *torque = joint_series_torque(series, joint);
    const int *frame = series->frame;
    int last = series->count - 1;
    double span = (double)frame[last] - frame[0], step = span / PROFILE_POINTS;
    for (int p = 0, i = 0; p < PROFILE_POINTS; p++) {
        double begin = frame[0] + p * step, end = p + 1 < PROFILE_POINTS ? frame[0] + (p + 1) * step : frame[last];
        double sum = 0;
        for (; i < last; i++) {
            double a = fmax(begin, frame[i]), b = fmin(end, frame[i + 1]);
            if (b > a)
                sum += area(frame, torque, i, a, b);
            if (frame[i + 1] >= end)
                break; /* the next point may begin between the same two samples */
        }
        nm_kg[p] = (float)((end > begin ? sum / (end - begin) : torque[0]) / mass);
    }
}

double profile_distance(const Profile *a, int a_count, const Profile *b, int b_count)
{
    double squares = 0;
    int shared = 0;
    for (int i = 0, k = 0; i < a_count && k < b_count;) {
        if (a[i].role != b[k].role) {
            if (a[i].role < b[k].role)
                i++;
            else
                k++;
            continue;
        }
        for (int p = 0; p < PROFILE_POINTS; p++) {
            double d = (double)a[i].nm_kg[p] - b[k].nm_kg[p];
            squares += d * d;
        }
        shared++;
        i++;
        k++;
    }
    return shared > 0 ? sqrt(squares / ((double)shared * PROFILE_POINTS)) : NAN;
}
