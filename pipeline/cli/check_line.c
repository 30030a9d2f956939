/* See check_line.h. */
#include "pipeline/cli/check_line.h"

#include <stdio.h>
#include <string.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"
#include "formats/base/json.h"
#include "pipeline/cli/message.h"

const char *const severity_names[] = {"note", "warning", "error", NULL};

enum { SHOWN_SIZE = 1024 };

/* Text with the options of import, which kane check has under the same names. */
static const char *shown_text(const CheckLine *line, char text[SHOWN_SIZE])
{
    message_name_options("import", line->text, text, SHOWN_SIZE);
    return text;
}

static void put_location(FILE *stream, const char *path, const CheckLine *line)
{
    char location[4400], text[SHOWN_SIZE];
    error_location(path, line->at.line, line->at.column, location, sizeof location);
    utf8_put_shown(stream, location, strlen(location));
    if (line->at.line == 0 && line->at.byte > 0)
        fprintf(stream, "byte %lld: ", line->at.byte);
    shown_text(line, text);
    utf8_put_shown(stream, text, strlen(text));
}

void check_line_print(FILE *stream, const char *path, const CheckLine *line, int explain)
{
    const FindingInfo *info = line->info;
    put_location(stream, path, line);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", line->repair ? "--repair " : "not repairable", line->repair ? line->repair : "");
}

Severity check_line_severity(const FindingInfo *info)
{
    return info->is_note ? SEVERITY_NOTE : info->is_refused ? SEVERITY_ERROR : SEVERITY_WARNING;
}

CheckLine check_line(const SourceFormat *format, const Finding *f)
{
    const char *repair = format->repair_words ? format->repair_words(f->kind) : NULL;
    return (CheckLine){source_finding(format, f->kind), f->at, repair, f->repaired, f->text};
}

void check_line_print_json(FILE *stream, const char *path, const CheckLine *line)
{
    Json json = json_spaced(stream);
    char text[SHOWN_SIZE];
    json_open(&json, '{');
    json_member_text(&json, "file", path);
    json_member_integer(&json, "line", line->at.line);
    json_member_integer(&json, "column", line->at.column);
    if (line->at.line == 0 && line->at.byte > 0)
        json_member_integer(&json, "byte", line->at.byte);
    json_member_text(&json, "kind", line->info->name);
    json_member_text(&json, "severity", severity_names[check_line_severity(line->info)]);
    json_member_text(&json, "text", shown_text(line, text));
    json_member_text(&json, "meaning", line->info->meaning);
    json_member_text(&json, "repair", line->repair);
    json_key(&json, "repaired");
    json_print(&json, line->repaired ? "true" : "false");
    json_close(&json, '}');
    putc('\n', stream);
}

void check_line_log(FILE *stream, const char *path, const CheckLine *line)
{
    put_location(stream, path, line);
    fprintf(stream, ": %s%s\n", line->repaired ? "repaired: " : "left", line->repaired ? line->repair : "");
}
