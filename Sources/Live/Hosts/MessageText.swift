import Foundation

/// What the processes of a run say to each other, as text without an end of line.
enum MessageText {
    static func of(_ message: some Encodable) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        } catch {
            preconditionFailure("no message is without words: \(error)")
        }
    }

    /// `nil`: it is no such message.
    static func read<Message: Decodable>(
        _ type: Message.Type, in text: some StringProtocol
    ) -> Message? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
