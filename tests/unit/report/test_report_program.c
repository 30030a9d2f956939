/* formats/report/report_program: a page without its script loads it from its parent folder, and allows files only. */
#include <stdlib.h>
#include <string.h>

#include "formats/report/report_program.h"
#include "tests/support/test.h"

static ReportPage page_of(const char *text)
{
    return (ReportPage){.text = text, .size = strlen(text), .mark = strstr(text, REPORT_PAGE_MARK)};
}

TEST(program_is_extracted_from_the_page)
{
    ReportPage page = page_of("<meta content=\"script-src 'sha256-x'; a\"><p>" REPORT_PAGE_MARK
                              "</p><script>go()</script>.");
    ReportProgram program;
    ReportPage linked;
    (void)state;
    assert_int_equal(report_program_find(&page, &program, NULL), STATUS_OK);
    assert_int_equal(program.size, 4);
    assert_memory_equal(program.text, "go()", 4);
    assert_int_equal(strlen(program.name), strlen("kane-12345678.js"));
    assert_int_equal(report_program_link(&page, &program, &linked, NULL), STATUS_OK);
    assert_non_null(strstr(linked.text, "<meta content=\"script-src 'self' file:; a\">"));
    assert_non_null(strstr(linked.text, program.name));
    assert_null(strstr(linked.text, "go()"));
    assert_memory_equal(linked.mark, REPORT_PAGE_MARK, strlen(REPORT_PAGE_MARK));
    report_page_free(&linked);
}

TEST(page_without_program_is_unchanged)
{
    const char *const pages[] = {"<p>" REPORT_PAGE_MARK "</p>", "<script>go()</script>" REPORT_PAGE_MARK,
                                 REPORT_PAGE_MARK "<script>go()</script>"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        ReportPage page = page_of(pages[i]);
        ReportProgram program;
        assert_int_equal(report_program_find(&page, &program, NULL), STATUS_OK);
        assert_null(program.text);
    }
}
