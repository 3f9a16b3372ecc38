import Device
import Testing

/// Who is in front, and who only was.
@Suite struct InFrontTests {
    @Test func `the app in front that is opened again stays as it is`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([], when: .appOpened(0), at: 1)
        bench.happens(.callComes, at: 2)
        bench.expect([], when: .appOpened(0), at: 3)
    }

    @Test func `who goes home from a locked screen finds no app behind it`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.locked, at: 1)
        bench.happens(.home, at: 2)
        bench.happens(.unlocked, at: 3)
        #expect(bench.states() == ["1 background"])
    }

    @Test func `an app that is opened from a locked screen is the one in front`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.locked, at: 1)
        bench.happens(.appOpened(1), at: 2)
        bench.happens(.locked, at: 3)
        bench.happens(.unlocked, at: 4)
        #expect(bench.states(of: 0) == ["1 background"])
        #expect(bench.states(of: 1) == ["2 active", "3 background", "4 active"])
    }

    @Test func `a call on a locked phone covers the app as long as it lasts`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.locked, at: 1)
        bench.happens(.callComes, at: 2)
        bench.happens(.unlocked, at: 3)
        bench.happens(.locked, at: 4)
        bench.happens(.callEnds, at: 5)
        bench.happens(.unlocked, at: 6)
        #expect(
            bench.states() == [
                "1 background", "3 active", "3 inactive", "4 background", "6 active",
            ])
    }

    @Test func `a call that is over covers nothing any more`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.callComes, at: 1)
        bench.happens(.callEnds, at: 2)
        bench.happens(.home, at: 3)
        bench.happens(.appOpened(0), at: 4)
        #expect(bench.states() == ["1 inactive", "2 active", "3 background", "4 active"])
    }

    @Test func `a second call changes nothing, nor does an end without one`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([], when: .callEnds, at: 1)
        bench.happens(.callComes, at: 2)
        bench.expect([], when: .callComes, at: 3)
    }

    @Test func `an app that ended in front does not come back with the screen`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.crash(0), at: 1)
        bench.happens(.locked, at: 2)
        bench.happens(.unlocked, at: 3)
        #expect(bench.states() == ["1 crash"])
    }

    @Test func `the end of an app behind leaves the one in front where it is`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.kill(1), at: 1)
        bench.happens(.home, at: 2)
        #expect(bench.states(of: 1) == ["1 killed"])
        #expect(bench.states(of: 0) == ["2 background"])
    }

    @Test func `a reboot ends the call`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.callComes, at: 1)
        bench.happens(.reboot, at: 2)
        bench.happens(.appOpened(0), at: 3)
        bench.pass(to: 100)
        #expect(bench.states() == ["1 inactive", "2 reboot", "32 launched", "32 active"])
    }
}
