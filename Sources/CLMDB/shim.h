#ifndef FOLIO_CLMDB_SHIM_H
#define FOLIO_CLMDB_SHIM_H

#include <lmdb.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Commands of fcntl for locks that belong to an open file. The C library only names them for GNU
 * sources; the numbers are part of the kernel's interface. */
#if defined(__APPLE__)
static const int clmdb_lock_set = 90;
static const int clmdb_lock_get = 92;
#else
static const int clmdb_lock_get = 36;
static const int clmdb_lock_set = 37;
#endif

/* CRC32C by the processor's own instruction. The state goes in and comes out as it is: the caller
 * inverts it before the first and after the last call. Only called where clmdb_crc32c_supported()
 * says so; elsewhere the module computes the same in Swift. */
#if defined(__x86_64__)

static inline int clmdb_crc32c_supported(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0;
}

__attribute__((target("sse4.2"))) static inline uint32_t
clmdb_crc32c(uint32_t state, const void *_Nullable bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t wide = state;
  for (; count >= 8; count -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  state = (uint32_t)wide;
  if (count >= 4) {
    uint32_t word;
    memcpy(&word, p, 4);
    state = __builtin_ia32_crc32si(state, word);
    p += 4;
    count -= 4;
  }
  for (; count > 0; count -= 1, p += 1) state = __builtin_ia32_crc32qi(state, *p);
  return state;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

static inline int clmdb_crc32c_supported(void) { return 1; }

static inline uint32_t clmdb_crc32c(uint32_t state, const void *_Nullable bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  for (; count >= 8; count -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    state = __builtin_arm_crc32cd(state, word);
  }
  for (; count > 0; count -= 1, p += 1) state = __builtin_arm_crc32cb(state, *p);
  return state;
}

#else

static inline int clmdb_crc32c_supported(void) { return 0; }

static inline uint32_t clmdb_crc32c(uint32_t state, const void *_Nullable bytes, size_t count) {
  (void)bytes;
  (void)count;
  return state;
}

#endif
#endif
