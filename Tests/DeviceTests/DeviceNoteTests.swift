import Device
import Quantities
import Testing

/// What the log is to know of a phone, and why.
@Suite struct DeviceNoteTests {
    typealias Reason = (events: [DeviceEvent], state: AppState, because: String)

    static let reasons: [Reason] = [
        ([.home], .background, "the user went home"),
        ([.locked], .background, "the screen is locked"),
        ([.appOpened(1)], .background, "another app is in front"),
        ([.callComes], .inactive, "a call came in"),
        ([.callComes, .callEnds], .active, "the call is over"),
        ([.locked, .unlocked], .active, "the screen is unlocked"),
        ([.home, .appOpened(0)], .active, "the user opened it"),
        ([.crash(0), .appOpened(0)], .active, "the user opened it"),
        ([.crash(0), .appWoken(0)], .background, "the system needs it"),
    ]

    @Test(arguments: reasons) func `a state says why it was entered`(reason: Reason) {
        var bench = PhoneBench(.iOS(17), apps: 2)
        for event in reason.events { bench.happens(event, at: 1) }
        let entered = bench.done.map(\.output).filter {
            if case .enter(0, _, _) = $0 { true } else { false }
        }
        #expect(entered.last == .enter(0, reason.state, because: reason.because))
    }

    @Test func `the system says why it stills an app, and why it wakes it`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 1)
        bench.pass(to: 10)
        #expect(
            bench.done.last?.output
                == .enter(0, .suspended, because: "nothing holds it awake"))
        bench.expect(
            [.enter(0, .background, because: "the system needs it")], when: .appWoken(0), at: 11)
    }

    @Test(arguments: [(DeviceEvent.appOpened(0), AppState.active), (.appWoken(0), .background)])
    func `a process begins before it is in a state`(event: DeviceEvent, state: AppState) {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.crash(0), at: 1)
        let outputs = bench.outputs(of: .happens(event), at: 2)
        #expect(outputs.first == .launch(0, inBackground: state == .background))
        guard case .enter(0, state, _) = outputs.last else {
            Issue.record("it is not in a state: \(outputs)")
            return
        }
    }

    @Test func `low-power mode is told when it begins and when it ends`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([.note(.lowPower(true))], when: .lowPower(true), at: 1)
        bench.expect([.note(.lowPower(false))], when: .lowPower(false), at: 2)
        let (on, off) = (
            DeviceEvent.charger(isConnected: true), DeviceEvent.charger(isConnected: false)
        )
        bench.expect([.note(.charger(isConnected: true))], when: on, at: 3)
        bench.expect([], when: on, at: 4)
        bench.expect([.note(.charger(isConnected: false))], when: off, at: 5)
    }

    @Test(arguments: [WallClock.Cause.user, .network, .timeZone])
    func `a jump of the wall clock tells how far, why, and what it shows now`(
        cause: WallClock.Cause
    ) {
        var bench = PhoneBench(.iOS(17))
        bench.expect(
            [.note(.wallClockJumped(.seconds(60), shows: 1_767_268_865_000_000_000, cause))],
            when: .clockJumps(.seconds(60), cause), at: 5)
    }

    @Test func `a task tells whose it is and how long it may last, while that is known`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.expect([.note(.taskBegan(0, 3, deadline: nil))], of: .beginTask(0, 3), at: 1)
        let deadline = Instant.start + .seconds(30)
        bench.expect([.note(.taskBegan(1, 7, deadline: deadline))], of: .beginTask(1, 7), at: 1)
        bench.pass(to: 26)
        bench.expect([.note(.taskBegan(1, 8, deadline: deadline))], of: .beginTask(1, 8), at: 26)
        bench.expect([.note(.taskEnded(1, 7))], of: .endTask(1, 7), at: 26)
        bench.happens(.appOpened(1), at: 27)
        bench.expect([.note(.taskBegan(1, 9, deadline: nil))], of: .beginTask(1, 9), at: 27)
    }

    @Test func `of an app that does not run no task begins or ends`() {
        var bench = PhoneBench(.iOS(17))
        bench.take(.beginTask(0, 1))
        bench.happens(.crash(0), at: 1)
        bench.expect([], of: .endTask(0, 1), at: 1)
        bench.expect([], of: .beginTask(0, 2), at: 2)
    }
}
