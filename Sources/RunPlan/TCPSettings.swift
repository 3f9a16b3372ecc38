package import Quantities

/// TCP settings of the simulated hosts. Defaults match Linux.
package struct TCPSettings: Hashable, Sendable {
    package var controller: Controller
    /// The controller of the host that opens connections, if it differs.
    package var clientController: Controller?
    /// The controller of the host that accepts connections, if it differs.
    package var serverController: Controller?
    /// The controller of the system's background transfers, if it differs from the client's.
    package var backgroundController: Controller?
    /// The congestion window at the start of a connection, in segments.
    package var initialWindow: UInt64
    /// Whether controllers with a window spread it over the round trip, as Linux does under `fq`.
    package var pacesWindows: Bool
    /// How CUBIC ends its slow start before a queue overflows.
    package var slowStart: SlowStart
    /// The TLS between TCP and HTTP.
    package var security: TransportSecurity
    /// Explicit congestion notification, which the connecting side asks for.
    package var ecn: ECN
    /// The largest receive buffer. A buffer begins with 80 KiB, and grows by what the host reads in
    /// a round trip.
    package var receiveWindow: ByteCount
    /// The largest send buffer. A buffer grows with the congestion window.
    package var sendBuffer: ByteCount
    /// Whether the first segments, and those after a retransmission, are acknowledged one by one,
    /// so that a slow start does not wait: Linux's quick-ACK mode.
    package var acknowledgesQuickly: Bool
    /// How hosts find out that large packets vanish; the client's or the server's may differ.
    package var blackHoles: BlackHoleDetection
    package var clientBlackHoles: BlackHoleDetection?
    package var serverBlackHoles: BlackHoleDetection?
    /// How hosts fill a send buffer.
    package var writes: Writes
    /// The shortest retransmission timeout; `nil`: as in Linux, which adds at least 200 ms to the
    /// round trip.
    package var minimumTimeout: TimeSpan?

    /// The content that fits in the 32 MiB of Linux's `tcp_rmem` since version 6.16, where a
    /// segment of 1448 bytes takes 2304.
    package static let usualReceiveWindow = ByteCount(20 << 20)
    /// Linux's `tcp_wmem`.
    package static let usualSendBuffer = ByteCount(4 << 20)
    /// RFC 6928's.
    package static let usualInitialWindow: UInt64 = 10

    /// Congestion controllers, with their names in the scenario language.
    package enum Controller: String, Hashable, Sendable, CaseIterable {
        case cubic
        case newReno = "newreno"
        case bbr
        /// Version 3.
        case bbr3
        case ledbat = "ledbat++"
        case dctcp
        case prague

        /// Whether the controller goes by the number of marks, which the peer must count.
        package var countsMarks: Bool {
            switch self {
            case .dctcp, .prague: true
            case .cubic, .newReno, .bbr, .bbr3, .ledbat: false
            }
        }
    }

    /// Forms of explicit congestion notification, with their names in the scenario language.
    package enum ECN: String, Hashable, Sendable, CaseIterable {
        case off
        /// RFC 3168's: the receiver echoes a mark until the sender has slowed down.
        case on
        /// RFC 9768's: the receiver counts marks.
        case accurate
    }

    /// Ways to end a slow start, with their names in the scenario language.
    package enum SlowStart: String, Hashable, Sendable, CaseIterable {
        /// Linux's.
        case hystart
        /// RFC 9406's.
        case hystartPlusPlus = "hystart++"
    }

    /// Ways to find out that large packets vanish, with their names in the scenario language.
    package enum BlackHoleDetection: String, Hashable, Sendable, CaseIterable {
        /// Linux's default (`tcp_mtu_probing = 0`).
        case off
        /// Linux with `tcp_mtu_probing = 1`, without its later attempts with larger packets.
        case linux
        /// The detection of iOS and macOS.
        case apple
    }

    /// Ways to write, with their names in the scenario language.
    ///
    /// They differ for BBR: the kernel looks at the beginning of each call whether the application
    /// limits the rate, and does not look when a call goes on after having waited for room.
    package enum Writes: String, Hashable, Sendable, CaseIterable {
        /// The host is told when a third of the buffer is free, and then begins a new call.
        case nonBlocking = "non-blocking"
        /// A call waits for room, and goes on.
        case blocking
    }

    package init(
        controller: Controller = .cubic, clientController: Controller? = nil,
        serverController: Controller? = nil, backgroundController: Controller? = nil,
        initialWindow: UInt64 = usualInitialWindow, pacesWindows: Bool = false,
        slowStart: SlowStart = .hystart, security: TransportSecurity = .none,
        ecn: ECN = .off, receiveWindow: ByteCount = usualReceiveWindow,
        sendBuffer: ByteCount = usualSendBuffer, acknowledgesQuickly: Bool = true,
        blackHoles: BlackHoleDetection = .off, writes: Writes = .nonBlocking,
        minimumTimeout: TimeSpan? = nil
    ) {
        self.controller = controller
        self.clientController = clientController
        self.serverController = serverController
        self.backgroundController = backgroundController
        self.initialWindow = initialWindow
        self.pacesWindows = pacesWindows
        self.slowStart = slowStart
        self.security = security
        self.ecn = ecn
        self.receiveWindow = receiveWindow
        self.sendBuffer = sendBuffer
        self.acknowledgesQuickly = acknowledgesQuickly
        self.blackHoles = blackHoles
        self.writes = writes
        self.minimumTimeout = minimumTimeout
    }
}
