import Protocols
package import Quantities

/// A request that no app of the run makes: another client of the server, which is beside it and
/// uses no link, sends it when the timeline says so.
package struct Visit: Hashable, Sendable {
    package var name: String
    /// What is sent, as it is on the wire.
    package var bytes: [UInt8]
    /// Visits with the same name of a connection share it; `nil`: the visit has one of its own.
    package var connection: String?
    /// The size of each piece in which it is sent, and the pause after each; `nil`: all at once.
    package var pieces: Pieces?
    /// Whether the client hangs up as soon as everything is sent.
    package var hangsUp = false

    package struct Pieces: Hashable, Sendable {
        package var size: Int
        package var pause: TimeSpan

        package init(size: Int, pause: TimeSpan) {
            self.size = size
            self.pause = pause
        }
    }

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The first line, up to its second word: the method and the target.
    package var title: String {
        let line = bytes.prefix { $0 != 0x0d && $0 != 0x0a }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ").prefix(2)
        return String(HTTPRequestHead.logged(words.joined(separator: " ")).prefix(120))
    }

    package var method: String {
        String(decoding: bytes.prefix { $0 != 0x20 && $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
    }
}
