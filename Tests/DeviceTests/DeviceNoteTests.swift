import Device
import Facts
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

    @Test func `a wake that is refused says why`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.lowPower(true), at: 1)
        bench.expect([], when: .appWoken(0), at: 2)
        bench.happens(.crash(0), at: 3)
        bench.expect(
            [.note(.wakeRefused(because: .lowPower), of: 0)], when: .appWoken(0), at: 4)
        bench.happens(.appOpened(0), at: 5)
        bench.happens(.forceQuit(0), at: 6)
        bench.expect(
            [.note(.wakeRefused(because: .forceQuit), of: 0)], when: .appWoken(0), at: 7)
    }

    @Test func `low-power mode is told when it begins and when it ends`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([.note(.lowPower(on: true))], when: .lowPower(true), at: 1)
        bench.expect([.note(.lowPower(on: false))], when: .lowPower(false), at: 2)
        let (on, off) = (
            DeviceEvent.charger(isConnected: true), DeviceEvent.charger(isConnected: false)
        )
        bench.expect([.note(.charger(connected: true))], when: on, at: 3)
        bench.expect([], when: on, at: 4)
        bench.expect([.note(.charger(connected: false))], when: off, at: 5)
    }

    @Test func `a call is told when it begins and when it ends, but not when the phone goes off`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 1)
        bench.expect([.note(.call(on: true))], when: .callComes, at: 2)
        bench.expect([], when: .callComes, at: 3)
        bench.expect([.note(.call(on: false))], when: .callEnds, at: 4)
        bench.expect([], when: .callEnds, at: 5)
        bench.happens(.callComes, at: 6)
        bench.expect([.end(0, .powerLoss), .power(.lost)], when: .powerLost, at: 7)
        bench.happens(.powerBack, at: 8)
        bench.pass(to: 60)
        bench.expect([], when: .callEnds, at: 61)
    }

    @Test(arguments: [WallClock.Cause.user, .network, .timeZone])
    func `a jump of the wall clock tells how far, why, and what it shows now`(
        cause: WallClock.Cause
    ) {
        var bench = PhoneBench(.iOS(17))
        bench.expect(
            [
                .note(
                    .wallClockJumped(
                        by: .seconds(60), wallNanoseconds: 1_767_268_865_000_000_000,
                        because: cause.rawValue))
            ],
            when: .clockJumps(.seconds(60), cause), at: 5)
    }

    @Test func `a task tells whose it is and how long it may last, while that is known`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 3, deadline: nil), of: 0)], of: .beginTask(0, 3),
            at: 1)
        let deadline = Instant.start + .seconds(30)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 7, deadline: deadline), of: 1)],
            of: .beginTask(1, 7), at: 1)
        bench.pass(to: 26)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 8, deadline: deadline), of: 1)],
            of: .beginTask(1, 8), at: 26)
        bench.expect([.note(.taskEnded(launch: 0, task: 7), of: 1)], of: .endTask(1, 7), at: 26)
        bench.happens(.appOpened(1), at: 27)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 9, deadline: nil), of: 1)], of: .beginTask(1, 9),
            at: 27)
    }

    @Test func `of an app that does not run no task begins or ends`() {
        var bench = PhoneBench(.iOS(17))
        bench.take(.beginTask(0, 1))
        bench.happens(.crash(0), at: 1)
        bench.expect([], of: .endTask(0, 1), at: 1)
        bench.expect([], of: .beginTask(0, 2), at: 2)
    }
}
