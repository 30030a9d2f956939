/* libhdf5, loaded when the first clip file is read.
 *
 * No other part of kane calls it, and distributions link it with some 30 libraries, which take 10 ms to load. H5Fopen
 * is hdf5.Fopen, the type H5T_C_S1 is *hdf5.T_C_S1; constants and C types are those of <hdf5.h>. */
#ifndef KANE_BASE_HDF5_CALLS_H
#define KANE_BASE_HDF5_CALLS_H

#include <hdf5.h>

#include "analysis/base/status.h"

/* Constants such as H5F_ACC_RDONLY call these, which hdf5_load makes needless: it opens the library of the soname. */
#undef H5OPEN
#define H5OPEN
#undef H5CHECK
#define H5CHECK

/* X(name) of each function, and of each variable, without H5. A call that is not listed does not compile. */
#define HDF5_CALLS(X) \
    X(Aclose) X(Aexists) X(Aexists_by_name) X(Aget_space) X(Aget_type) X(Aopen) X(Aopen_by_name) X(Aread) \
    X(Dclose) X(Dget_create_plist) X(Dget_offset) X(Dget_space) X(Dget_type) X(Dopen2) X(Dread) X(Dvlen_reclaim) \
    X(Eget_auto2) X(Eset_auto2) X(FDregister) X(FDunregister) X(Fclose) X(Fopen) X(Iget_type) X(Lexists) X(Literate) \
    X(Oclose) X(Oget_info_by_name2) X(Oopen) X(Pclose) X(Pcreate) X(Pget_driver_info) X(Pget_external_count) \
    X(Pget_filter2) X(Pget_layout) X(Pget_nfilters) X(Pset_buffer) X(Pset_driver) X(Pset_fclose_degree) X(Sclose) \
    X(Screate_simple) X(Sget_simple_extent_dims) X(Sget_simple_extent_npoints) X(Sselect_hyperslab) X(Tclose) X(Tcopy) \
    X(Tequal) X(Tget_class) X(Tget_cset) X(Tget_size) X(Tis_variable_str) X(Tset_cset) X(Tset_size) \
    X(get_libversion) X(open)
#define HDF5_VARIABLES(X) \
    X(P_CLS_DATASET_XFER_ID) X(P_CLS_FILE_ACCESS_ID) X(T_C_S1) X(T_IEEE_F32LE) X(T_IEEE_F64LE) X(T_NATIVE_DOUBLE) \
    X(T_NATIVE_INT) X(T_NATIVE_UINT32) X(T_NATIVE_UINT8) X(T_STD_I32LE) X(T_STD_U32LE) X(T_STD_U8LE)

typedef struct Hdf5Calls {
#define HDF5_POINTER(name) __typeof__(H5##name) *(name);
    HDF5_CALLS(HDF5_POINTER)
#undef HDF5_POINTER
#define HDF5_POINTER(name) hid_t *(name);
    HDF5_VARIABLES(HDF5_POINTER)
#undef HDF5_POINTER
} Hdf5Calls;

extern Hdf5Calls hdf5; /* filled by hdf5_load */

/* Loads and initialises libhdf5, once per process; any thread. STATUS_IO with the reason if it cannot be loaded. */
Status hdf5_load(Error *err);

#endif
