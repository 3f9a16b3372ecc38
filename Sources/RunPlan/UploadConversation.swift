package import Quantities

/// Requests and answers on one connection, as an uploading client and its server exchange them: a
/// short request, and then long ones. Each waits for the answer to the one before.
package struct UploadConversation: Hashable, Sendable {
    /// The sizes of the first request, of each later one, and of each answer.
    private let opening: UInt64
    private let request: UInt64
    private let answer: UInt64

    /// A transfer that is created, and then sent in pieces of 4 MB.
    package static let inPieces = UploadConversation(opening: 300, request: 4_000_300, answer: 200)

    package init(opening: UInt64, request: UInt64, answer: UInt64) {
        precondition(request > 0 && answer > 0, "without bytes, a request or answer has no end")
        self.opening = opening
        self.request = request
        self.answer = answer
    }

    /// Returns how many bytes the client may have sent after so many bytes of answers.
    package func requested(after answers: ByteCount) -> ByteCount {
        ByteCount(opening + request * (answers.bytes / answer))
    }

    /// Returns how many bytes the server owes for so many bytes of requests.
    package func answered(to requests: ByteCount) -> ByteCount {
        guard requests.bytes >= opening else { return .zero }
        return ByteCount(answer * (1 + (requests.bytes - opening) / request))
    }
}
