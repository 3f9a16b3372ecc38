import Quantities
import Testing
import TransferEngine

/// What an app may make of the settings of a session, and when (A15).
@Suite struct SettingsCommandTests {
    private static let other = TransferSettings(overwrite: .never, resume: .fullChecksum)

    @Test func `those of a session that waits are changed, kept, and told`() {
        var hand = PersistentByHand([PersistentByHand.session, PersistentByHand.session])
        hand.tell(.command(.queue(.change(Self.other, of: SessionID(2)))))
        #expect(hand.refusals.isEmpty)
        #expect(hand.kept[SessionID(2)]?.settings == Self.other)
        hand.kill()
        hand.tell(.command(.queue(.session(.cancel, SessionID(2)))))
        #expect(hand.kept[SessionID(2)]?.settings == Self.other)
    }

    @Test func `those of one that is active stay as they are`() {
        var hand = PersistentByHand()
        let before = hand.kept[SessionID(1)]?.settings
        hand.tell(.command(.queue(.change(Self.other, of: SessionID(1)))))
        #expect(hand.refusals == [.settingsInUse(SessionID(1), .running)])
        #expect(hand.refusals[0].message.contains("cancel or stop it first"))
        #expect(hand.kept[SessionID(1)]?.settings == before)
        hand.ask(.pause)
        hand.tell(.command(.queue(.change(Self.other, of: SessionID(1)))))
        #expect(hand.refusals.last == .settingsInUse(SessionID(1), .paused))
        hand.ask(.cancel)
        hand.tell(.command(.queue(.change(Self.other, of: SessionID(1)))))
        #expect(hand.kept[SessionID(1)]?.settings == Self.other)
    }

    @Test func `a session that is not there has none`() {
        var hand = PersistentByHand()
        hand.tell(.command(.queue(.change(Self.other, of: SessionID(2)))))
        #expect(hand.refusals == [.noSuchSession(SessionID(2))])
    }

    static let rates: [(RateWish, RateRefusal)] = [
        (RateWish(target: 0), .targetOfZero),
        (RateWish(target: .max), .targetOutOfReach(.max)),
        (RateWish(target: 5, minimum: 6), .minimumAboveTarget(6, target: 5)),
    ]

    @Test(arguments: rates)
    func `rates that no transport could go by are refused, and nothing changes`(
        rate: RateWish, refusal: RateRefusal
    ) {
        var hand = PersistentByHand()
        var session = PersistentByHand.session
        session.settings.rate = rate
        hand.tell(.command(.queue(.enqueue(session))))
        hand.ask(.cancel)
        hand.tell(.command(.queue(.change(session.settings, of: SessionID(1)))))
        #expect(hand.refusals == [.rates(refusal), .rates(refusal)])
        #expect(hand.kept.count == 1)
        #expect(hand.kept[SessionID(1)]?.settings == PersistentByHand.session.settings)
        #expect(refusal.message.contains(": set"))
    }

    @Test func `a rate of exactly its minimum is one`() {
        var session = PersistentByHand.session
        session.settings.rate = RateWish(policy: .fixed, target: 5, minimum: 5)
        let hand = PersistentByHand([session])
        #expect(hand.refusals.isEmpty)
        #expect(hand.kept[SessionID(1)]?.settings.rate == session.settings.rate)
    }
}
