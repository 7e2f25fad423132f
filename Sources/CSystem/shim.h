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

extern char **environ;
/// The variables that a program started now would inherit.
static inline char **folio_environment(void) { return environ; }
#endif
