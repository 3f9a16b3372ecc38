import Quantities
import RunPlan

/// The key `tcp`: settings of the simulated hosts' TCP.
enum TCPKeys {
    static var shape: Shape { settings.shape }

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        settings.read(node, into: &draft.tcp)
    }

    private static let settings = KeyTable<TCPSettings>(
        name: "“tcp”",
        keys: [
            .choice("controller", about, complaint: complaint, \.controller),
            .optional("client", ofClient.shape, "settings of the client alone") { node, settings in
                ofClient.read(node, into: &settings)
            },
            .optional("server", ofServer.shape, "settings of the server alone") { node, settings in
                ofServer.read(node, into: &settings)
            },
            .optional(
                "background", ofBackground.shape,
                "settings of the client alone for the system's background transfers"
            ) { node, settings in
                ofBackground.read(node, into: &settings)
            },
            .optional(
                "initial-window", .number,
                "how many segments a connection sends before the first acknowledgement; by default "
                    + "10, as in RFC 6928",
                example: "32", \.initialWindow
            ) {
                $0.count(in: initialWindows, "a number of segments from 1 to 100") {
                    "TCP cannot begin with \($0) segments"
                }
            },
            .onOff(
                "pacing",
                "whether CUBIC and NewReno spread their window over the round trip, as Linux does "
                    + "for a socket that asks for it, or under `fq`; BBR always does",
                \.pacesWindows),
            .choice(
                "slow-start",
                "how CUBIC ends its slow start: `hystart` as in Linux, `hystart++` as in RFC 9406",
                complaint: "there is no slow start", \.slowStart),
            .choice(
                "tls",
                "the TLS version above TCP: `1.2` costs two round trips before the first "
                    + "request, `1.3` one; resumed sessions cost one and need no certificates",
                complaint: "there is no TLS", \.security),
            .choice(
                "ecn",
                "explicit congestion notification: `on` as in RFC 3168, `accurate` as in RFC 9768 "
                    + "(AccECN); a queue marks only with its own `ecn: on`; `dctcp` and `prague` "
                    + "are always `accurate`",
                complaint: "there is no ECN", \.ecn),
            .optional(
                "receive-window", .size,
                "the largest receive buffer; it begins with 80 KiB and grows, by default to 20 MiB",
                example: "256 KiB", \.receiveWindow
            ) { buffer("receive window", $0) },
            .optional(
                "send-buffer", .size,
                "the largest buffer for unacknowledged data; by default 4 MiB", example: "1 MiB",
                \.sendBuffer
            ) { buffer("send buffer", $0) },
            .onOff(
                "quick-acknowledgements",
                "`off`: every second segment is acknowledged from the start; Linux acknowledges "
                    + "the first 16 one by one",
                \.acknowledgesQuickly),
            .choice(
                "black-holes",
                aboutBlackHoles + "; by default `off`, as in Linux", complaint: noDetection,
                \.blackHoles),
            .choice(
                "writes",
                "how hosts fill the send buffer: `non-blocking`, or `blocking`, each call of which "
                    + "waits for room; where the buffer limits BBR, only the latter lets it leave "
                    + "its start-up, as in Linux",
                complaint: "there are no writes", \.writes),
            .optional(
                "minimum-timeout", .time,
                "the shortest retransmission timeout; RFC 6298 asks for 1 s, Linux adds at least "
                    + "200 ms to the round trip",
                example: "1 s", \.minimumTimeout
            ) { node in
                let expectation = "from 1 ms to 60 s, such as 1 s, which RFC 6298 asks for"
                return node.text(expected: expectation)?.time(expected: expectation) {
                    timeouts.contains($0) ? nil : "TCP cannot have a timeout of \($0)"
                }
            },
        ])

    /// More than 1 GiB does not fit in a window, whose largest scale is 14 (RFC 7323 §2.3).
    private static let buffers = ByteCount(16 << 10)...ByteCount(1 << 30)
    private static let initialWindows: ClosedRange<UInt64> = 1...100
    /// RFC 6298 demands a second, and has an upper bound of a minute.
    private static let timeouts = TimeSpan.milliseconds(1)...TimeSpan.seconds(60)

    private static let ofClient = part(
        "client", [controller(\.clientController), blackHoles(\.clientBlackHoles)])
    private static let ofServer = part(
        "server", [controller(\.serverController), blackHoles(\.serverBlackHoles)])
    private static let ofBackground = part("background", [controller(\.backgroundController)])

    /// Makes the settings of one host, or of one kind of transfer.
    private static func part(
        _ name: String, _ keys: [KeyTable<TCPSettings>.Key]
    ) -> KeyTable<TCPSettings> {
        KeyTable(name: "“\(name)” of “tcp”", keys: keys)
    }

    private static func controller(
        _ property: any WritableKeyPath<TCPSettings, Controller?> & Sendable
    ) -> KeyTable<TCPSettings>.Key {
        .optional("controller", controllerShape, about, property) {
            $0.choice(complaint: complaint)
        }
    }

    private static func blackHoles(
        _ property: any WritableKeyPath<TCPSettings, TCPSettings.BlackHoleDetection?> & Sendable
    ) -> KeyTable<TCPSettings>.Key {
        .optional(
            "black-holes", .choice(of: TCPSettings.BlackHoleDetection.self), aboutBlackHoles,
            property
        ) {
            $0.choice(complaint: noDetection)
        }
    }

    private typealias Controller = TCPSettings.Controller
    private static let controllerShape = Shape.choice(of: Controller.self)
    private static let about = "the congestion controller"
    private static let aboutBlackHoles =
        "how hosts find out that large packets vanish: `linux` as Linux with `tcp_mtu_probing = "
        + "1`, `apple` as iOS and macOS"
    private static let noDetection = "there is no detection"
    static let complaint = "there is no controller"

    private static func buffer(_ name: String, _ node: YAMLNode) -> ByteCount? {
        let expectation = "from 16 KiB to 1 GiB, such as 6 MiB"
        return node.text(expected: expectation)?.size(expected: expectation) {
            buffers.contains($0) ? nil : "TCP cannot have a \(name) of \($0)"
        }
    }
}
