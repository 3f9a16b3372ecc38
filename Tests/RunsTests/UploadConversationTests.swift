import Quantities
import RunPlan
import Testing

@Suite struct UploadConversationTests {
    private static let conversation = UploadConversation(
        opening: 300, request: 1_000, answer: 200)

    @Test(arguments: [(0, 300), (199, 300), (200, 1_300), (399, 1_300), (1_000, 5_300)])
    func `only a whole answer lets the client send its next request`(
        answers: UInt64, requested: UInt64
    ) {
        #expect(
            Self.conversation.requested(after: ByteCount(answers)) == ByteCount(requested))
    }

    @Test(arguments: [(0, 0), (299, 0), (300, 200), (1_299, 200), (1_300, 400), (5_300, 1_200)])
    func `only a whole request is answered`(requests: UInt64, answered: UInt64) {
        #expect(Self.conversation.answered(to: ByteCount(requests)) == ByteCount(answered))
    }
}
