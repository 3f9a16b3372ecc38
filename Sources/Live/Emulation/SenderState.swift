import Glibc
package import Quantities

/// The kernel's state of a sending socket (`TCP_INFO`).
package struct SenderState: Hashable, Sendable {
    /// The time since connecting began.
    package var at: TimeSpan
    /// In segments.
    package var window: UInt32
    package var threshold: UInt32
    package var unacknowledged: UInt32
    package var roundTripMicroseconds: UInt32
    package var retransmissions: UInt32
    /// Linux's `TCP_INFINITE_SSTHRESH`: slow start has not ended yet.
    static let infiniteThreshold: UInt32 = 0x7fff_ffff
    /// 0 open, 1 disorder, 2 reduced by ECN, 3 recovery, 4 loss.
    package var phase: UInt8

    init?(of socket: Int32, at moment: TimeSpan) {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else {
            return nil
        }
        at = moment
        window = info.tcpi_snd_cwnd
        threshold = info.tcpi_snd_ssthresh
        unacknowledged = info.tcpi_unacked
        roundTripMicroseconds = info.tcpi_rtt
        retransmissions = info.tcpi_total_retrans
        phase = info.tcpi_ca_state
    }
}
