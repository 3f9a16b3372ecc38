/// How the kernel's TCP is set up at both ends of an emulated link: written down, so that figures
/// do not hang on how the machine happens to be set.
///
/// What stands here without a word is Linux's default. A TUN device has no offloads: every packet
/// is cut to its 1500 bytes before it leaves. Without the `fq` queue discipline BBR paces by
/// itself.
enum KernelSettings {
    /// Below `/proc/sys/net`; all of them belong to the namespace in which they are written.
    static let all: [(path: String, value: String)] = [
        // A flow shall not profit from the one before it.
        ("ipv4/tcp_no_metrics_save", "1"),
        // The windows of a flow of 100 Mbit/s over 200 ms and a full queue are 5 MB, and the kernel
        // counts the room that packets take, not their bytes.
        ("ipv4/tcp_rmem", "4096 131072 67108864"),
        ("ipv4/tcp_wmem", "4096 16384 67108864"),
        ("ipv4/tcp_sack", "1"),
        ("ipv4/tcp_dsack", "1"),
        ("ipv4/tcp_timestamps", "1"),
        ("ipv4/tcp_window_scaling", "1"),
        ("ipv4/tcp_recovery", "1"),
        ("ipv4/tcp_early_retrans", "3"),
        ("ipv4/tcp_frto", "2"),
        ("ipv4/tcp_slow_start_after_idle", "1"),
        ("ipv4/tcp_ecn", "0"),
        ("ipv4/tcp_mtu_probing", "0"),
        // Neighbour discovery would send packets of its own.
        ("ipv6/conf/all/disable_ipv6", "1"),
        ("ipv6/conf/default/disable_ipv6", "1"),
    ]
}
