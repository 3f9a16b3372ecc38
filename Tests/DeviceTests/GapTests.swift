import Device
import Quantities
import Testing

/// How long it takes until another interface is used.
@Suite struct GapTests {
    @Test func `without a gap another interface is used at once`() {
        var phone = NetworkBench(gap: .zero)
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.wake, at: 10)
        #expect(
            phone.lines == [
                "1 s: 0 down", "1 s: ends on 0", "1 s: tells cellular, alive [1], metered",
            ])
    }

    @Test func `who comes back within the gap is used as if nothing else were there`() {
        var phone = NetworkBench(gap: .seconds(3))
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.lost(.cellular), at: 2)
        phone.happens(.found(.cellular, moved: false), at: 3)
        phone.happens(.wake, at: 20)
        #expect(
            phone.lines == [
                "1 s: 0 down", "1 s: ends on 0", "1 s: tells none, alive []", "2 s: 1 down",
                "2 s: ends on 1", "6 s: 1 up, moved", "6 s: tells cellular, alive [1], metered",
            ])
    }

    @Test func `an interface that is ready after a loss is so no sooner by fading meanwhile`() {
        var phone = NetworkBench(gap: .seconds(3))
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.fades(.cellular), at: 2)
        phone.happens(.found(.cellular, moved: false), at: 3)
        phone.happens(.wake, at: 20)
        #expect(phone.lines.last == "4 s: tells cellular, alive [1], metered")
    }

    @Test func `who logs in is let in at once, even if the other network was lost just before`() {
        var phone = NetworkBench(gap: .seconds(5))
        phone.happens(.portalComes(dropsOthers: false), at: 1)
        phone.happens(.lost(.cellular), at: 30)
        phone.lines = []
        phone.happens(.login, at: 32)
        #expect(phone.lines == ["32 s: portal 0 false", "32 s: tells wifi, alive [0]"])
    }
}
