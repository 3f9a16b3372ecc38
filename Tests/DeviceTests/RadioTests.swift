import Device
import Quantities
import Testing

/// What a phone finds again when its radios come back, and what it does not.
@Suite struct RadioTests {
    @Test func `a phone that goes off loses all its ways, and finds them when it has started`() {
        var phone = NetworkBench()
        phone.happens(.power(on: false), at: 5)
        phone.happens(.power(on: true), at: 40)
        phone.happens(.wake, at: 50)
        #expect(
            phone.lines == [
                "5 s: 0 down", "5 s: ends on 0", "5 s: 1 down", "5 s: ends on 1",
                "5 s: tells none, alive []", "41 s: 0 up", "41 s: 1 up, moved",
                "41 s: tells wifi, alive [0]",
            ])
    }

    @Test func `a cell gives another address after airplane mode, and Wi-Fi the same`() {
        var phone = NetworkBench()
        phone.happens(.airplaneMode(true), at: 5)
        phone.lines = []
        phone.happens(.airplaneMode(false), at: 10)
        phone.happens(.wake, at: 20)
        #expect(
            phone.lines == ["11 s: 0 up", "11 s: 1 up, moved", "11 s: tells wifi, alive [0]"])
    }

    @Test func `the radio needs the phone's power and the end of airplane mode, both`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.airplaneMode(true), at: 1)
        phone.happens(.power(on: false), at: 2)
        phone.lines = []
        phone.happens(.power(on: true), at: 3)
        phone.happens(.found(.wifi, moved: false), at: 4)
        phone.happens(.power(on: false), at: 5)
        phone.happens(.airplaneMode(false), at: 6)
        phone.happens(.wake, at: 10)
        #expect(phone.lines.isEmpty)
        phone.happens(.power(on: true), at: 11)
        phone.happens(.wake, at: 20)
        #expect(phone.lines == ["12 s: 0 up", "12 s: tells wifi, alive [0]"])
    }

    @Test func `what was lost meanwhile is not joined`() {
        var phone = NetworkBench()
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.airplaneMode(true), at: 5)
        phone.lines = []
        phone.happens(.airplaneMode(false), at: 60)
        phone.happens(.wake, at: 70)
        #expect(phone.lines == ["61 s: 1 up, moved", "61 s: tells cellular, alive [1], metered"])
    }

    @Test func `what has faded away is not joined either`() {
        var phone = NetworkBench()
        phone.happens(.fades(.wifi), at: 1)
        phone.happens(.airplaneMode(true), at: 50)
        phone.lines = []
        phone.happens(.airplaneMode(false), at: 60)
        phone.happens(.wake, at: 70)
        #expect(phone.lines == ["61 s: 1 up, moved", "61 s: tells cellular, alive [1], metered"])
    }
}
