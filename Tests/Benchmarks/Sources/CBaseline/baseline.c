#include "baseline.h"

#include <lmdb.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { databases_max = 64, bytes_max = 65536 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int open_databases(MDB_env *env, MDB_dbi *dbis, const struct baseline_put *puts,
                          size_t count) {
  MDB_txn *txn;
  int code = mdb_txn_begin(env, NULL, 0, &txn);
  if (code) return code;
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "database %d", puts[i].database);
    code = mdb_dbi_open(txn, name, MDB_CREATE, &dbis[puts[i].database]);
    if (code) {
      mdb_txn_abort(txn);
      return code;
    }
  }
  return mdb_txn_commit(txn);
}

static int save(MDB_env *env, const MDB_dbi *dbis, const struct baseline_put *puts, size_t count,
                uint32_t round) {
  static unsigned char key[511], value[bytes_max];
  MDB_txn *txn;
  int code = mdb_txn_begin(env, NULL, 0, &txn);
  if (code) return code;
  for (size_t i = 0; i < count; i++) {
    memset(key, 'k', puts[i].key_bytes);
    memset(value, (int)(round & 0xff), puts[i].value_bytes);
    if (puts[i].fresh_key) {
      for (int byte = 0; byte < 4 && (size_t)byte < puts[i].key_bytes; byte++)
        key[puts[i].key_bytes - 1 - (size_t)byte] = (unsigned char)(round >> (8 * byte));
    }
    MDB_val k = {puts[i].key_bytes, key}, v = {puts[i].value_bytes, value};
    code = mdb_put(txn, dbis[puts[i].database], &k, &v, 0);
    if (code) {
      mdb_txn_abort(txn);
      return code;
    }
  }
  return mdb_txn_commit(txn);
}

int64_t baseline_save(const char *folder, const struct baseline_put *puts, size_t count,
                      int transactions) {
  MDB_env *env;
  MDB_dbi dbis[databases_max];
  for (size_t i = 0; i < count; i++)
    if (puts[i].database >= databases_max || puts[i].value_bytes > bytes_max
        || puts[i].key_bytes > 511)
      return -1;
  int code = mdb_env_create(&env);
  if (code) return -1;
  mdb_env_set_maxdbs(env, databases_max);
  mdb_env_set_mapsize(env, (size_t)1 << 30);
  code = mdb_env_open(env, folder, 0, 0600);
  if (!code) code = open_databases(env, dbis, puts, count);
  int64_t begin = now();
  for (int round = 0; !code && round < transactions; round++)
    code = save(env, dbis, puts, count, (uint32_t)round);
  int64_t taken = now() - begin;
  mdb_env_close(env);
  return code ? -(int64_t)(code < 0 ? -code : code) : taken;
}
