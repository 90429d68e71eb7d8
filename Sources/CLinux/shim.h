#pragma once
/* GNU extensions of the C library, which its Swift module leaves out. */
#if defined(__linux__)
#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>

#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pthread_setname_np(pthread_t thread, const char *name);
#endif
