#ifndef FOLIO_CLMDB_SHIM_H
#define FOLIO_CLMDB_SHIM_H
#include <lmdb.h>
#endif
