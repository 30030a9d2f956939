#include "pipeline/cli/finding.h"

#include <stddef.h>
#include <string.h>

#include "formats/base/text.h"

const char *const severity_names[] = {"note", "warning", "error", NULL};

static void put_place(FILE *stream, const char *path, const Finding *finding)
{
    char place[4400];
    error_place(path, finding->line, finding->column, place, sizeof place);
    utf8_put_shown(stream, place, strlen(place));
    utf8_put_shown(stream, finding->text, strlen(finding->text));
}

void finding_print(FILE *stream, const char *path, const Finding *finding, int explain)
{
    const BvhFaultInfo *info = finding->info;
    put_place(stream, path, finding);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", info->repair ? "--repair " : "no repair", info->repair ? info->repair : "");
}

Severity finding_severity(const BvhFaultInfo *info)
{
    return info->is_note ? SEVERITY_NOTE : info->is_refused ? SEVERITY_ERROR : SEVERITY_WARNING;
}

static void put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, ", \"%s\": ", key);
    if (text)
        json_put_text(stream, text);
    else
        fputs("null", stream);
}

void finding_print_json(FILE *stream, const char *path, const Finding *finding)
{
    fputs("{\"file\": ", stream);
    json_put_text(stream, path);
    fprintf(stream, ", \"line\": %d, \"column\": %d", finding->line, finding->column);
    put_text(stream, "kind", finding->info->name);
    put_text(stream, "severity", severity_names[finding_severity(finding->info)]);
    put_text(stream, "text", finding->text);
    put_text(stream, "meaning", finding->info->meaning);
    put_text(stream, "repair", finding->info->repair);
    fprintf(stream, ", \"mended\": %s}\n", finding->mended ? "true" : "false");
}

void finding_log(FILE *stream, const char *path, const Finding *finding)
{
    put_place(stream, path, finding);
    fprintf(stream, ": %s%s\n", finding->mended ? "mended: " : "left", finding->mended ? finding->info->repair : "");
}
