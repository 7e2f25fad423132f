// Calls of Linux that Swift's module Glibc leaves out.
#ifndef FOLIO_CSYSTEM_SHIM_H
#define FOLIO_CSYSTEM_SHIM_H
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/socket.h>
// The headers show these two only to a program that asks for GNU extensions.
int pipe2(int descriptors[2], int flags);
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif
#endif
