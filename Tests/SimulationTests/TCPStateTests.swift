import Testing

@testable import Simulation

@Suite struct TCPStateTests {
    /// RFC 9293 §3.3.2, row by row; what is not here cannot arise.
    static let table: [TCPState: [TCPState.Event: TCPState]] = [
        .closed: [.passiveOpen: .listen, .activeOpen: .synSent],
        .listen: [.synArrived: .synReceived],
        .synSent: [.synAckArrived: .established],
        .synReceived: [.synAcknowledged: .established],
        .established: [.finSent: .finWait1, .finArrived: .closeWait],
        .finWait1: [.finAcknowledged: .finWait2, .finArrived: .closing],
        .finWait2: [.finArrived: .timeWait],
        .closing: [.finAcknowledged: .timeWait],
        .timeWait: [:],
        .closeWait: [.finSent: .lastAck],
        .lastAck: [.finAcknowledged: .closed],
    ]

    @Test(arguments: TCPState.allCases, TCPState.Event.allCases)
    func `every cell of state and event holds`(state: TCPState, event: TCPState.Event) {
        let expected = event == .reset ? .closed : Self.table[state]?[event]
        #expect(state.after(event) == expected)
    }
}
