package import Quantities

/// How the simulated hosts' TCP is set up; without a word, as Linux has it.
package struct TCPSettings: Hashable, Sendable {
    package var controller: Controller
    /// The one of the host that opens connections, and of the one that accepts them, where it is
    /// another.
    package var clientController: Controller?
    package var serverController: Controller?
    /// What is spoken between TCP and HTTP.
    package var security: TransportSecurity
    /// Explicit congestion notification (RFC 3168), which the connecting side asks for.
    package var marksCongestion: Bool
    /// The largest buffer for what the host has not read, to which it grows from 80 KiB by what the
    /// host reads in a round trip.
    package var receiveWindow: ByteCount
    /// The largest buffer for what is not yet acknowledged, to which it grows with the window.
    package var sendBuffer: ByteCount
    /// Whether the first segments, and those after a repetition, are acknowledged one by one, so
    /// that a slow start does not wait: Linux's quick-ACK mode.
    package var acknowledgesQuickly: Bool
    /// No retransmission timeout is shorter; `nil` is as in Linux, where 200 ms at least are added
    /// to the round trip.
    package var minimumTimeout: TimeSpan?

    /// What is left for content of the 32 MiB that Linux has in `tcp_rmem` since version 6.16: a
    /// segment of 1448 bytes takes 2304 there.
    package static let usualReceiveWindow = ByteCount(20 << 20)
    /// Linux's `tcp_wmem`.
    package static let usualSendBuffer = ByteCount(4 << 20)

    /// Who decides how much may be in flight; the names are those of the scenario language.
    package enum Controller: String, Hashable, Sendable, CaseIterable {
        case cubic
        case newReno = "newreno"
        case bbr
    }

    package init(
        controller: Controller = .cubic, clientController: Controller? = nil,
        serverController: Controller? = nil, security: TransportSecurity = .none,
        marksCongestion: Bool = false, receiveWindow: ByteCount = usualReceiveWindow,
        sendBuffer: ByteCount = usualSendBuffer, acknowledgesQuickly: Bool = true,
        minimumTimeout: TimeSpan? = nil
    ) {
        self.controller = controller
        self.clientController = clientController
        self.serverController = serverController
        self.security = security
        self.marksCongestion = marksCongestion
        self.receiveWindow = receiveWindow
        self.sendBuffer = sendBuffer
        self.acknowledgesQuickly = acknowledgesQuickly
        self.minimumTimeout = minimumTimeout
    }
}
