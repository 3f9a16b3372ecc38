import Device
import Quantities
import Testing

/// Which ways into the network are lost and come back, and with which address.
@Suite struct LostAndFoundTests {
    @Test func `all are lost and found at once, where none is named`() {
        var phone = NetworkBench()
        phone.happens(.lost(nil), at: 1)
        phone.happens(.found(nil, moved: false), at: 10)
        phone.happens(.wake, at: 20)
        #expect(
            phone.lines == [
                "1 s: 0 down", "1 s: ends on 0", "1 s: 1 down", "1 s: ends on 1",
                "1 s: tells none, alive []", "11 s: 0 up", "11 s: 1 up, moved",
                "11 s: tells wifi, alive [0]",
            ])
    }

    @Test func `one that comes back leaves the other where it is`() {
        var phone = NetworkBench()
        phone.happens(.lost(nil), at: 1)
        phone.lines = []
        phone.happens(.found(.wifi, moved: true), at: 10)
        phone.happens(.wake, at: 20)
        #expect(phone.lines == ["11 s: 0 up, moved", "11 s: tells wifi, alive [0]"])
    }

    @Test func `an address has moved once only`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.found(.wifi, moved: true), at: 2)
        phone.happens(.lost(.wifi), at: 10)
        phone.lines = []
        phone.happens(.found(.wifi, moved: false), at: 20)
        phone.happens(.wake, at: 30)
        #expect(phone.lines == ["21 s: 0 up", "21 s: tells wifi, alive [0]"])
    }

    @Test func `cellular is joined while Wi-Fi is used, and nobody is told`() {
        var phone = NetworkBench()
        phone.happens(.lost(.cellular), at: 1)
        phone.happens(.found(.cellular, moved: false), at: 10)
        phone.happens(.wake, at: 20)
        #expect(phone.lines == ["1 s: 1 down", "1 s: ends on 1", "11 s: 1 up, moved"])
    }

    @Test func `what is due when something else happens is done with it`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.found(.wifi, moved: false), at: 10)
        phone.lines = []
        phone.happensFirst(.lowDataMode(true), at: 11)
        #expect(phone.lines == ["11 s: 0 up", "11 s: tells wifi, alive [0], low data"])
    }

    @Test func `a line of which nothing more is known costs nothing and comes back as it was`() {
        var phone = NetworkBench([.line])
        phone.happens(.lost(.line), at: 1)
        phone.happens(.found(.line, moved: false), at: 2)
        phone.happens(.wake, at: 10)
        #expect(
            phone.lines == [
                "1 s: 0 down", "1 s: ends on 0", "1 s: tells none, alive []", "3 s: 0 up",
                "3 s: tells line, alive [0]",
            ])
    }

    @Test func `translators forget what belongs to whom on a network that is away, too`() {
        var phone = NetworkBench(endsConnections: false)
        phone.happens(.lost(.wifi), at: 1)
        phone.lines = []
        phone.happens(.mappingsForgotten(resets: false), at: 10)
        #expect(
            phone.lines == [
                "2 s: tells cellular, alive [1], metered", "10 s: cuts 0", "10 s: cuts 1",
            ])
    }
}
