/* What Linux has and Swift's Glibc module does not show. */
#include <linux/if_tun.h>
#include <linux/ioctl.h>
#include <linux/sockios.h>
#include <linux/udp.h>
#include <malloc.h>
#include <poll.h>
#include <spawn.h>
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/xattr.h>

/* glibc declares these only under _GNU_SOURCE, which the Glibc module is built without. */
int pipe2(int descriptors[2], int flags);
int accept4(int listener, struct sockaddr *peer, socklen_t *length, int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
int syncfs(int descriptor);
int unshare(int flags);
int setns(int namespace_descriptor, int flags);
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
          const sigset_t *mask);

#ifndef __USE_GNU
struct mmsghdr {
    struct msghdr msg_hdr;
    unsigned int msg_len;
};
#endif
int sendmmsg(int socket, struct mmsghdr *messages, unsigned int count, int flags);
int recvmmsg(int socket, struct mmsghdr *messages, unsigned int count, int flags,
             struct timespec *timeout);
int epoll_pwait2(int descriptor, struct epoll_event *events, int count,
                 const struct timespec *timeout, const sigset_t *mask);

/* Swift does not import macros with arguments in them, nor those behind _GNU_SOURCE. */
static const unsigned long TUN_SET_INTERFACE = TUNSETIFF;
static const int NEW_NETWORK = 0x40000000; /* CLONE_NEWNET */
