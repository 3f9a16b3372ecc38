import RunLog

/// Whether sessions start running only after the server has accepted who they are (A2). The server
/// and the answers say so, not the engine.
struct AcceptedFirst: Sendable {
    private var spans: [ItemName: Span] = [:]
    private var sessions: [ConnectionName: ItemName] = [:]
    private var requests: [ConnectionName: (at: Int, words: String)] = [:]
    /// Requests whose credential the server has refused, with when.
    private var refusals: [(at: Int, words: String)] = []
    private var events = 0

    /// The time between willStartRunning and didStopRunning.
    private struct Span: Sendable {
        var hasStarted = false
        var isAccepted = false
    }

    /// What an event shows.
    enum Finding {
        /// The server has refused a session that had not started running.
        case held
        case slip(Slip)
    }

    mutating func read(_ event: RunEvent) -> Finding? {
        events += 1
        switch event.fact {
        case .queue(.callback(let session, .willStartRunning)): spans[session] = Span()
        case .queue(.callback(let session, .didStartRunning)): spans[session]?.hasStarted = true
        case .queue(.callback(let session, .didStopRunning)): spans[session] = nil
        case .connection(.opening(let connection, _, let session?)):
            sessions[connection] = session
        case .connection(.request(let connection, let method, let target)):
            requests[connection] = (events, "\(method) \(target)")
        case .connection(.ended(let connection, _, _)): requests[connection] = nil
        case .server(.credentialRefused(_, _, let method, let target)):
            refusals.append((events, "\(method) \(target)"))
        case .connection(.response(let connection, let status, _)):
            return answered(connection, status)
        default: break
        }
        return nil
    }

    private mutating func answered(_ connection: ConnectionName, _ status: Int) -> Finding? {
        guard let session = sessions[connection], let span = spans[session],
            let request = requests.removeValue(forKey: connection)
        else { return nil }
        let place = refusals.lastIndex { $0.at > request.at && $0.words == request.words }
        guard status == 401, let place else {
            spans[session]?.isAccepted = true
            return nil
        }
        refusals.remove(at: place)
        guard !span.isAccepted else { return nil }
        guard span.hasStarted else { return .held }
        return .slip(
            Slip(
                expected: "\(session): didStartRunning after the server has accepted who it is",
                seen: "it was told before the first answer, which is 401"))
    }
}
