/* See explain_inertia.h. */
#include "pipeline/cli/explain_inertia.h"

#include <stdio.h>

#include "analysis/dynamics/spatial_inertia.h"
#include "formats/base/text.h"

static const char *const axes[] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static void write_matrix(RowWriter *sheet, const char *name, const double *m)
{
    for (int r = 0; r < 6; r++) {
        row_writer_text(sheet, name);
        row_writer_text(sheet, axes[r]);
        for (int c = 0; c < 6; c++)
            row_writer_number(sheet, m[6 * r + c] + 0.0); /* 0 for -0 */
    }
}

static Status print_matrices(const SpatialInertia *s, RowForm form, Error *err)
{
    const char *name[] = {"matrix", "row", axes[0], axes[1], axes[2], axes[3], axes[4], axes[5]};
    RowHead head = {.row_count = 18, .column_count = sizeof name / sizeof *name, .name = name};
    double m[36], inverse[36], factor[36];
    RowWriter sheet;
    spatial_inertia_matrix(s, m);
    spatial_inertia_inverse(s, inverse);
    spatial_inertia_factor(s, factor);
    row_writer_begin(&sheet, form, stdout, &head);
    write_matrix(&sheet, "M", m);
    write_matrix(&sheet, "inverse", inverse);
    write_matrix(&sheet, "G", factor);
    return row_writer_finish(&sheet, err);
}

Status explain_inertia(const Clip *clip, const char *body, RowForm form, Error *err)
{
    const Body *b = &clip->body;
    char near[256];
    if (!clip->has_body)
        return error_set(err, STATUS_BAD_INPUT, "has no /body: run kane body first");
    int joint = skeleton_find_name_or_role(&clip->skeleton, body);
    if (joint < 0) {
        did_you_mean_joint(body, &clip->skeleton, near, sizeof near);
        return error_set(err, STATUS_BAD_INPUT, "unknown joint or role \"%s\"%s", body, near);
    }
    SpatialInertia s = {b->mass[joint], b->com[joint], b->inertia[joint]};
    SpatialInertiaCheck check = spatial_inertia_check(&s);
    const char *role = role_name(clip->skeleton.role[joint]), *name = clip->skeleton.name[joint];
    if (check.inverse != check.inverse)
        return error_set(err, STATUS_BAD_INPUT,
                         "the segment of %s has no mass or no moment of inertia: its spatial inertia has no inverse",
                         name);
    if (form == ROW_TSV)
        printf("# %s: spatial inertia of the segment of %s (%s), %.4g kg, about the joint centre, joint axes: kg, "
               "kg m, kg m2\n# relative residuals: inverse %.1e (against LU factors), G G' - M %.1e\n",
               clip->provenance.title, *role ? role : "a joint", name, s.mass, check.inverse, check.factor);
    return print_matrices(&s, form, err);
}
