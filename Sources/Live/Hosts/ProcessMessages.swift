import Foundation
import TransferHost

/// A message from the parent to a process on a phone: a line on the process's standard input.
protocol ParentMessage: Codable {}

extension ParentMessage {
    var line: String { MessageText.of(self) + "\n" }

    /// Our own parent wrote the line: an unreadable one is a bug of this house.
    init(line: [UInt8]) {
        guard let message = MessageText.read(Self.self, in: line) else {
            preconditionFailure("the parent told “\(String(decoding: line, as: UTF8.self))”")
        }
        self = message
    }
}

/// A message from a process on a phone to its parent: a line among the process's events.
protocol ProcessWord: Codable {
    /// A connection stands, and `own` is the process's end of it.
    static func connected(_ connection: UInt32, from own: SocketAddress) -> Self
    /// A connection is given up, and its peer does not know that. Only the kernel may have finished
    /// its handshake: then nobody was told that it stands.
    static func abandoned(_ connection: UInt32, from own: SocketAddress) -> Self
}

extension ProcessWord {
    var line: String { MessageText.mark + MessageText.of(self) + "\n" }

    /// `nil` if the line is an event.
    init?(line: [UInt8]) {
        guard line.starts(with: MessageText.mark.utf8),
            let word = MessageText.read(Self.self, in: line.dropFirst(MessageText.mark.utf8.count))
        else { return nil }
        self = word
    }
}

/// JSON without an end of line.
private enum MessageText {
    /// Tells words from events.
    static let mark = "word "

    static func of(_ message: some Encodable) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        } catch {
            preconditionFailure("every message can be written: \(error)")
        }
    }

    static func read<Message: Decodable>(
        _ type: Message.Type, in text: some Collection<UInt8>
    ) -> Message? {
        try? JSONDecoder().decode(type, from: Data(text))
    }
}
