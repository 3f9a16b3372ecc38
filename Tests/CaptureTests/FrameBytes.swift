import Capture

/// Frames of every shape, made by hand for the tests of the parser.
struct FrameBytes {
    var link = FrameLink.ethernet
    var etherType: UInt16 = 0x0800
    var version: UInt8 = 4
    var ipOptions: [UInt8] = []
    /// A wrong header length in words of four bytes; `nil` for the true length.
    var ipHeaderWords: UInt8?
    var totalLength: UInt16?
    var fragment: UInt16 = 0x4000
    var transport: UInt8 = 6
    var tcpOptions: [UInt8] = []
    var tcpHeaderWords: UInt8?
    var payload: [UInt8] = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    var clientPort: UInt16 = 40_000
    var serverPort: UInt16 = 8_080
    var flags: UInt8 = 0x18
    var sequence: UInt32 = 7

    var bytes: [UInt8] {
        let ipLength = 20 + ipOptions.count
        let tcpLength = 20 + tcpOptions.count
        let total = totalLength ?? UInt16(ipLength + tcpLength + payload.count)
        var bytes: [UInt8] =
            switch link {
            case .raw: []
            case .null: [version == 6 ? 30 : 2, 0, 0, 0]
            case .cooked: [UInt8](repeating: 0, count: 14) + Self.big(etherType)
            case .ethernet: [UInt8](repeating: 0, count: 12) + Self.big(etherType)
            }
        if version == 6 {
            bytes += [0x60, 0, 0, 0] + Self.big(total - 20) + [transport, 64]
            bytes += [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [2]
            bytes += [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
        } else {
            bytes += [version << 4 | (ipHeaderWords ?? UInt8(ipLength / 4)), 0] + Self.big(total)
            bytes += [0, 1] + Self.big(fragment) + [64, transport, 0, 0]
            bytes += [127, 0, 0, 1, 127, 0, 0, 1] + ipOptions
        }
        bytes += Self.big(clientPort) + Self.big(serverPort)
        bytes += Self.big(UInt16(sequence >> 16)) + Self.big(UInt16(truncatingIfNeeded: sequence))
        bytes += [0, 0, 0, 9, (tcpHeaderWords ?? UInt8(tcpLength / 4)) << 4, flags]
        bytes += [255, 255, 0, 0, 0, 0] + tcpOptions + payload
        return bytes
    }

    private static func big(_ value: UInt16) -> [UInt8] {
        [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
