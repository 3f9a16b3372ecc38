import Device
import Facts
import Testing

/// Whom a phone ends when memory is short, and in which order.
@Suite struct MemoryPressureTests {
    @Test func `all suspended apps go, those first who were seen longest ago`() {
        var bench = PhoneBench(.iOS(17), apps: 3)
        bench.happens(.appOpened(1), at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.happens(.appOpened(2), at: 3)
        bench.happens(.home, at: 4)
        bench.expect(
            [.note(.memoryPressure()), .end(1, .memory), .end(0, .memory), .end(2, .memory)],
            when: .memoryPressure, at: 20)
    }

    @Test func `an app that ended in front was seen until then`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.appOpened(1), at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.happens(.crash(0), at: 5)
        bench.happens(.appWoken(0), at: 6)
        bench.expect(
            [.note(.memoryPressure()), .end(1, .memory)], when: .memoryPressure, at: 8)
        bench.happens(.appOpened(1), at: 9)
        bench.happens(.crash(1), at: 10)
        bench.happens(.appWoken(1), at: 11)
        bench.expect(
            [.note(.memoryPressure()), .end(0, .memory)], when: .memoryPressure, at: 12)
    }

    @Test func `of those who were seen last at one moment the first of the plan goes first`() {
        var bench = PhoneBench(.iOS(17), apps: 3)
        bench.expect(
            [.note(.memoryPressure()), .end(1, .memory), .end(2, .memory)], when: .memoryPressure,
            at: 20)
    }

    @Test func `on Android, where nothing is suspended, all go who are behind`() {
        var bench = PhoneBench(.android(14), apps: 3)
        bench.happens(.callComes, at: 10)
        bench.expect(
            [.note(.memoryPressure()), .end(1, .memory), .end(2, .memory)], when: .memoryPressure,
            at: 20)
    }

    @Test func `nobody is left to go where nobody runs behind`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([.note(.memoryPressure())], when: .memoryPressure, at: 1)
    }
}
