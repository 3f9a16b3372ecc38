import RunPlan

/// The kernel's TCP settings at both ends of an emulated link, so that figures do not depend on the
/// machine's settings.
///
/// Uncommented values are Linux's defaults. A TUN device has no offloads: packets have 1500 bytes.
/// Without the `fq` queue discipline, BBR paces by itself.
enum KernelSettings {
    /// Paths below `/proc/sys/net`. Each setting belongs to its network namespace.
    static func all(_ buffers: BulkFlowPlan.Buffers) -> [(path: String, value: String)] {
        switch buffers {
        case .ample:
            // A flow of 100 Mbit/s over 200 ms and a full queue has windows of 5 MB. The kernel
            // counts the memory of packets, not their bytes.
            common + [
                ("ipv4/tcp_rmem", "4096 131072 67108864"),
                ("ipv4/tcp_wmem", "4096 16384 67108864"),
            ]
        case .usual:
            common + [
                ("ipv4/tcp_rmem", "4096 131072 33554432"), ("ipv4/tcp_wmem", "4096 16384 4194304"),
            ]
        }
    }

    private static let common: [(path: String, value: String)] = [
        // A flow must not profit from an earlier one.
        ("ipv4/tcp_no_metrics_save", "1"),
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
        // Neighbour discovery would send packets.
        ("ipv6/conf/all/disable_ipv6", "1"),
        ("ipv6/conf/default/disable_ipv6", "1"),
    ]
}
