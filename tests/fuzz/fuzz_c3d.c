/* formats/c3d and tables of plates under libFuzzer: the first byte chooses C3D or a table. No input crashes; rejected
 * files have a message; of accepted ones times increase and forces are finite. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/plate_up.h"
#include "formats/c3d/c3d_plates.h"
#include "formats/tables/plate_columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_record(PlateRecord *r)
{
    UpAxis up;
    Error err = {0};
    require(r->plate_count > 0 && r->sample_count > 0);
    for (int s = 0; s < r->sample_count; s++) {
        require(isfinite(r->time[s]) && (s == 0 || r->time[s] > r->time[s - 1]));
        for (int p = 0; p < r->plate_count; p++)
            require(!isnan(r->force[plate_index(r, s, p)].x));
    }
    if (plate_up_find(r, &up, &err))
        require(err.text[0] != 0);
    else
        plate_record_stand(r, up);
    plate_record_free(r);
}

static void try_plates(const C3d *c3d)
{
    for (PlateZero zero = PLATE_ZERO_FILE; zero <= PLATE_ZERO_NONE; zero++) {
        PlateRecord record;
        Error err = {0};
        if (c3d_plates(c3d, zero, &record, &err))
            require(err.text[0] && !record.plate);
        else
            check_record(&record);
    }
}

static void try_c3d(const char *bytes, size_t size)
{
    C3d c3d;
    Error err = {0};
    if (c3d_open(bytes, size, &c3d, &err)) {
        require(err.text[0] && !c3d.label);
        return;
    }
    require(c3d.frame_count > 0 && c3d.rate > 0);
    for (int f = 0; f < c3d.frame_count; f++)
        for (int p = 0; p < c3d.point_count; p++) {
            Vec3 v = c3d_point(&c3d, f, p);
            require(isnan(v.x) == isnan(v.y) && isnan(v.x) == isnan(v.z));
        }
    try_plates(&c3d);
    c3d_close(&c3d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PlateRecord record;
    Error err = {0};
    if (size < 1)
        return 0;
    char *bytes = malloc(size); /* exact, so that reads beyond are found */
    require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] % 2)
        try_c3d(bytes, size - 1);
    else if (plate_columns_begin(bytes, size - 1) && plate_columns_parse(bytes, size - 1, &record, &err) == STATUS_OK)
        check_record(&record);
    free(bytes);
    return 0;
}
