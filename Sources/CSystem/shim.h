// Calls of Linux that Swift's module Glibc leaves out, and a variable that it cannot show.
#ifndef FOLIO_CSYSTEM_SHIM_H
#define FOLIO_CSYSTEM_SHIM_H
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/socket.h>
// The headers show these two only to a program that asks for GNU extensions.
int pipe2(int descriptors[2], int flags);
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif

#include <stdint.h>
#include <time.h>
/// The nanoseconds that a clock of the system tells. Read here: in an optimised build Swift finds the
/// members of a timespec in a module that nobody can import.
static inline int64_t folio_clock_nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  // It fails only for a clock that does not exist.
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

extern char **environ;
/// The variables that a program started now would inherit.
static inline char **folio_environment(void) { return environ; }
#endif
