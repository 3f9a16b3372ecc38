import Quantities
import Testing
import TransferEngine

/// A server that cannot prove who it is (`Account.usesTLS`).
@Suite struct UntrustedServerTests {
    @Test func `a task fails at once, and is not tried again (B10)`() throws {
        var hand = DaemonByHand()
        hand.upload()
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .untrusted)))
        #expect(hand.news.map(\.end) == [.failed(.serverCertificateUntrusted)])
        hand.wait(.seconds(3_600))
        #expect(hand.connects == 1)
    }
}
