import Quantities
import RunPlan

/// The key `tcp`: settings of the simulated hosts' TCP.
enum TCPKeys {
    static var shape: Shape { settings.shape }
    static let controllerShape = Shape.choice(of: TCPSettings.Controller.self)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        settings.read(node, into: &draft.tcp, mistakes: &mistakes)
    }

    private static let settings = KeyTable<TCPSettings>(
        name: "“tcp”",
        keys: [
            .optional("controller", controllerShape, "the congestion controller") {
                node, settings, mistakes in
                settings.controller =
                    controller(node, mistakes: &mistakes) ?? settings.controller
            },
            .optional("client", ofClient.shape, "settings of the client alone") {
                node, settings, mistakes in
                ofClient.read(node, into: &settings, mistakes: &mistakes)
            },
            .optional("server", ofServer.shape, "settings of the server alone") {
                node, settings, mistakes in
                ofServer.read(node, into: &settings, mistakes: &mistakes)
            },
            .optional(
                "tls", .choice(of: TransportSecurity.self),
                "the TLS version above TCP: `1.2` costs two round trips before the first "
                    + "request, `1.3` one; resumed sessions cost one and need no certificates"
            ) {
                node, settings, mistakes in
                settings.security =
                    mistakes.choice(node, complaint: "there is no TLS") ?? settings.security
            },
            .optional(
                "ecn", .onOff,
                "explicit congestion notification; a queue marks only with its own `ecn: on`"
            ) {
                node, settings, mistakes in
                settings.marksCongestion =
                    mistakes.isOn(node) ?? settings.marksCongestion
            },
            .optional(
                "receive-window", .size,
                "the largest receive buffer; it begins with 80 KiB and grows, by default to 20 MiB",
                example: "256 KiB"
            ) {
                node, settings, mistakes in
                settings.receiveWindow =
                    buffer("receive window", node, mistakes: &mistakes) ?? settings.receiveWindow
            },
            .optional(
                "send-buffer", .size,
                "the largest buffer for unacknowledged data; by default 4 MiB",
                example: "1 MiB"
            ) {
                node, settings, mistakes in
                settings.sendBuffer =
                    buffer("send buffer", node, mistakes: &mistakes) ?? settings.sendBuffer
            },
            .optional(
                "quick-acknowledgements", .onOff,
                "`off`: every second segment is acknowledged from the start; Linux acknowledges "
                    + "the first 16 one by one"
            ) { node, settings, mistakes in
                settings.acknowledgesQuickly =
                    mistakes.isOn(node) ?? settings.acknowledgesQuickly
            },
            .optional(
                "minimum-timeout", .time,
                "the shortest retransmission timeout; RFC 6298 asks for 1 s, Linux adds at least "
                    + "200 ms to the round trip",
                example: "1 s",
                read: readMinimumTimeout),
        ])

    private static let buffers = ByteCount(16 << 10)...ByteCount(64 << 20)
    /// RFC 6298 demands a second, and has an upper bound of a minute.
    private static let timeouts = TimeSpan.milliseconds(1)...TimeSpan.seconds(60)

    /// Settings of one host, if the two differ.
    private static let ofClient = KeyTable<TCPSettings>(
        name: "“client” of “tcp”",
        keys: [
            .optional("controller", controllerShape, "the congestion controller") {
                node, settings, mistakes in
                settings.clientController = controller(node, mistakes: &mistakes)
            }
        ])

    private static let ofServer = KeyTable<TCPSettings>(
        name: "“server” of “tcp”",
        keys: [
            .optional("controller", controllerShape, "the congestion controller") {
                node, settings, mistakes in
                settings.serverController = controller(node, mistakes: &mistakes)
            }
        ])

    static func controller(
        _ node: YAMLNode, mistakes: inout Mistakes
    ) -> TCPSettings.Controller? {
        mistakes.choice(node, complaint: "there is no controller")
    }

    private static func buffer(
        _ name: String, _ node: YAMLNode, mistakes: inout Mistakes
    ) -> ByteCount? {
        let expectation = "from 16 KiB to 64 MiB, such as 6 MiB"
        guard let words = mistakes.text(of: node, expected: expectation),
            let size = mistakes.size(words)
        else { return nil }
        guard buffers.contains(size) else {
            mistakes.add(
                "TCP cannot have a \(name) of \(size)", at: words.place,
                expected: expectation)
            return nil
        }
        return size
    }

    private static func readMinimumTimeout(
        _ node: YAMLNode, settings: inout TCPSettings, mistakes: inout Mistakes
    ) {
        let expectation = "from 1 ms to 60 s, such as 1 s, which RFC 6298 asks for"
        guard let words = mistakes.text(of: node, expected: expectation),
            let time = mistakes.time(words)
        else { return }
        guard timeouts.contains(time) else {
            mistakes.add(
                "TCP cannot have a timeout of \(time)", at: words.place,
                expected: expectation)
            return
        }
        settings.minimumTimeout = time
    }
}
