/* What Linux has and Swift's Glibc module does not show. */
#include <linux/sockios.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* glibc declares these only under _GNU_SOURCE, which the Glibc module is built without. */
int pipe2(int descriptors[2], int flags);
int accept4(int listener, struct sockaddr *peer, socklen_t *length, int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
