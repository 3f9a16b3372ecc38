import Protocols
import Quantities

/// Sessions over the paced transport. Each connection asks the server for a session of it, and
/// then gives its place to the stream. Where that fails, a session that may do so goes on over the
/// connection itself.
extension QueueMachine {
    /// Continues a connection when the server has answered a request about it.
    mutating func told(_ answer: Lane.Told, on place: Int, in turn: inout Turn) {
        switch answer {
        case .accepted: accepted(place, in: &turn)
        case .granted(let grant): granted(grant, on: place, in: &turn)
        case .notOffered: notOffered(on: place, in: &turn)
        case .heard(let hasHeard):
            fails(place, hasHeard == true ? .noFeedback : .noData, in: &turn)
        }
    }

    /// Opens the stream for which the server has opened a session.
    private mutating func granted(_ grant: PacedGrant, on place: Int, in turn: inout Turn) {
        guard let id = active?.id, let lane = active?.attempt?[place].lane else { return }
        let record = sessions[id]
        let stream = turn.connect(
            to: grant, of: access(of: record), record.settings.rate, askedOn: lane, for: id.name)
        active?.attempt?[place].lane.phase = .opening(stream, session: grant.session)
        active?.attempt?.channels = grant.hasChannels ? ChannelAllowance() : nil
    }

    /// Notes what happens to a stream that is being opened.
    mutating func opens(_ event: AttemptInput, on place: Int, in turn: inout Turn) {
        switch event {
        case .connected(let stream): opened(stream, event, on: place, in: &turn)
        case .disconnected(_, let why): getsNoStream(because: why, on: place, in: &turn)
        case .inspected, .examined, .kept, .placed, .received, .taken, .unreadable: break
        }
    }

    private mutating func opened(
        _ stream: ConnectionID, _ event: AttemptInput, on place: Int, in turn: inout Turn
    ) {
        guard let id = active?.id, let control = active?.attempt?[place].lane else { return }
        turn.close(control.connection)
        let record = sessions[id]
        var lane = Lane(
            stream, to: access(of: record), by: record.wire, over: turn.process.network,
            isPaced: true, at: turn.now)
        lane.rejections = control.rejections
        active?.attempt?[place].lane = lane
        withCarrier(place, in: &turn) { lane, transfer, turn in
            lane.take(event, &transfer, at: turn.now, into: &turn.wanted)
        }
    }

    /// Goes on without a stream, or finds out why there is none.
    private mutating func getsNoStream(
        because why: Disconnection, on place: Int, in turn: inout Turn
    ) {
        guard let lane = active?.attempt?[place].lane,
            case .opening(let stream, let session) = lane.phase
        else { return }
        turn.process.connections.forget(stream)
        active?.attempt?[place].lane.phase = .idle
        if why == .networkLost {
            turn.abort(lane.connection)
            return disconnected(place, why, in: &turn)
        }
        guard !fallsBack(place, because: "UDP does not pass", in: &turn) else { return }
        guard why == .timedOut else { return fails(place, .dataConnectionFailed, in: &turn) }
        active?.attempt?[place].lane.askWhatArrived(
            of: session, at: turn.now, into: &turn.wanted)
    }

    private mutating func notOffered(on place: Int, in turn: inout Turn) {
        guard !fallsBack(place, because: "the server does not offer it", in: &turn) else { return }
        fails(place, .datagramsNotStarted, in: &turn)
    }

    /// Lets all streams of the active session go by its rates.
    func paceStreams(in turn: inout Turn) {
        guard let current = active, let attempt = current.attempt else { return }
        for place in attempt.places {
            let lane = attempt[place].lane
            guard let stream = lane.opening ?? (lane.isPaced ? lane.connection : nil) else {
                continue
            }
            turn.wanted.append(.pace(stream, sessions[current.id].settings.rate))
        }
    }

    /// Goes on over TCP with all connections, if the session may.
    private mutating func fallsBack(
        _ place: Int, because why: String, in turn: inout Turn
    ) -> Bool {
        guard let id = active?.id, active?.attempt != nil,
            sessions[id].settings.transport == .pacedOrHTTP
        else { return false }
        turn.note(.engine(.fallsBack(id.name, because: why)))
        active?.attempt?.isOverTCP = true
        active?.attempt?[place].lane.phase = .idle
        accepted(place, in: &turn)
        return true
    }
}
