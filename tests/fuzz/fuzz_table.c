/* formats/base/table under libFuzzer: no input crashes it; each cell is a string with line and column. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Table t;
    Error err = {0};
    if (table_parse((const char *)data, size, &t, &err)) {
        if (err.text[0] == 0 || t.text)
            abort();
        return 0;
    }
    for (int row = 0; row < t.row_count; row++)
        for (int column = 0; column < t.column_count; column++) {
            int i = row * t.column_count + column;
            double value;
            if (strlen(t.cell[i]) > size || t.cell_column[i] < 1 || t.line[row] < 1)
                abort();
            (void)table_number(&t, row, column, &value, &err);
        }
    table_free(&t);
    return 0;
}
