/* See track_page.h. */
#include "pipeline/cli/track_page.h"

#include <stdio.h>

#include "formats/report/report_clips.h"
#include "formats/report/report_page.h"

Status track_page_check(const OutputCall *call, const char *path, Error *err)
{
    static const OutputEnding endings[] = {{"html", 0, FILE_PAGE}, {"htm", 0, FILE_PAGE}, {NULL, 0, FILE_PAGE}};
    const OutputEnding *ending;
    Status status = output_ending(path, endings, &ending, err);
    return status ? status : output_file_check(call, path, FILE_PAGE, err);
}

static Status write_file(OutputCall *call, const char *path, const ReportPage *page, const Clip *clip, Error *err)
{
    ReportSide side[REPORT_ACTORS];
    int count = report_controller_sides(clip, side);
    OutputOrigin origin = {0};
    OutputFile file;
    FILE *stream;
    output_origin_add(&origin, &clip->provenance);
    Status status = output_file_open(call, path, FILE_PAGE, output_origin(&origin), &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (!status) {
        status = report_clips_write(page, side, count, stream, err);
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

Status track_page_write(OutputCall *call, const char *template, const char *path, const Clip *clip, Error *err)
{
    ReportPage page;
    Status status = report_page_find(template, &page, err);
    if (!status)
        status = write_file(call, path, &page, clip, err);
    report_page_free(&page);
    return status;
}
