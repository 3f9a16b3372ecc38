import Device
import Quantities
import Testing

/// The table of an interface's states.
@Suite struct InterfaceStateTests {
    private static let moment = Instant(nanoseconds: 7)
    private static let joining = InterfaceState.joining(until: moment)
    private static let suspect = InterfaceState.suspect(until: moment)
    private static let fading = InterfaceState.fading(until: moment)

    /// States in the order of the columns below.
    private static let states: [InterfaceState] = [
        .gone, joining, .usable, suspect, .captive, fading,
    ]

    /// What an event brings with it is not what a state is waiting for already.
    private static let later = Instant(nanoseconds: 9)

    typealias Row = (event: InterfaceState.Event, after: [InterfaceState])

    /// gone, joining, usable, suspect, captive, fading
    static let table: [Row] = [
        (.lost, [.gone, .gone, .gone, .gone, .gone, .gone]),
        (
            .found(joined: later),
            [.joining(until: later), joining, .usable, suspect, .captive, .usable]
        ),
        (
            .fades(until: later),
            [.gone, .gone, .fading(until: later), .fading(until: later), .gone, fading]
        ),
        (
            .portalComes(noticed: later),
            [.gone, joining, .suspect(until: later), suspect, .captive, fading]
        ),
        (.login, [.gone, joining, .usable, .usable, .usable, fading]),
        (
            .deadline(behindPortal: false),
            [.gone, .usable, .usable, .captive, .captive, .gone]
        ),
        (.deadline(behindPortal: true), [.gone, .captive, .usable, .captive, .captive, .gone]),
    ]

    @Test(arguments: table) func `every state answers every event`(row: Row) {
        #expect(Self.states.map { $0.after(row.event) } == row.after, "\(row.event)")
    }

    @Test func `nothing passes what is not there, and nobody is sent to what he cannot use`() {
        #expect(Self.states.map(\.isUp) == [false, false, true, true, true, true])
        #expect(Self.states.map(\.isOffered) == [false, false, true, true, false, false])
    }

    @Test func `what waits for a moment says for which`() {
        #expect(
            Self.states.map(\.deadline)
                == [nil, Self.moment, nil, Self.moment, nil, Self.moment])
    }
}
