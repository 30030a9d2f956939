#include "formats/export/export_long.h"

#include "formats/export/export_columns.h"

enum { LEADING_COLUMNS = 4 };

Status export_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    ExportColumn column[EXPORT_MOST_COLUMNS];
    const char *header[LEADING_COLUMNS + 4 * EXPORT_MOST_COLUMNS] = {"time", "frame", "joint", "role"};
    Status status = export_check_frame(clip, frame, err);
    if (status)
        return status;
    int groups = export_columns(clip, column), count = LEADING_COLUMNS;
    for (int c = 0; c < groups; c++)
        for (int i = 0; i < 4 && column[c].name[i]; i++)
            header[count++] = column[c].name[i];
    Sheet sheet;
    long long rows = (long long)clip->motion.frame_count * clip->skeleton.joint_count;
    sheet_begin(&sheet, form, stream, clip->provenance.title, rows, count, header);
    for (int f = 0; f < clip->motion.frame_count; f++)
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            sheet_number(&sheet, clip->motion.time[f]);
            sheet_integer(&sheet, f);
            sheet_text(&sheet, clip->skeleton.name[j]);
            sheet_text(&sheet, role_name(clip->skeleton.role[j]));
            for (int c = 0; c < groups; c++)
                export_put_column(&sheet, clip, &column[c], frame, f, j);
        }
    return sheet_finish(&sheet, err);
}
