import Quantities
import RunLog

/// The attempts to reach a server by its name, judged at the end of the run from the packets: a
/// SYN for each attempt, an answer before it, and the pauses of RFC 8305.
struct NameWatch: Sendable {
    private let terms: NameTerms
    private var answers: [Answer] = []
    private var attempts: [Attempt] = []
    /// When each connection was asked for, with the app that it belongs to.
    private var openings: [Connection: Watch.Mark] = [:]
    /// When the links of an interface went down.
    private var losses: [(interface: UInt16, mark: Watch.Mark)] = []
    /// SYNs sent, resets delivered and answers delivered, in order of time.
    private var synchronizations: [(flow: UInt16, at: UInt64, size: UInt16)] = []
    private var resets: [(flow: UInt16, at: UInt64)] = []
    private var deliveredAnswers: [(interface: UInt16, at: UInt64)] = []

    /// The pauses of RFC 8305, §3 and §5.
    private static let resolutionDelay = TimeSpan.milliseconds(50)
    private static let attemptDelay = TimeSpan.milliseconds(250)

    /// Returns the size of a SYN: the headers of IP and TCP, and 20 bytes of options.
    private static func synchronizationSize(_ family: AddressFamily) -> UInt16 {
        switch family {
        case .ipv6: 80
        case .ipv4: 60
        }
    }

    private struct Connection: Hashable {
        let name: ConnectionName
        let app: UInt16?
    }

    private struct Answer {
        let question: NameQuestion
        let answer: NameAnswer
        let mark: Watch.Mark
    }

    private struct Attempt {
        let connection: Connection
        let family: AddressFamily
        let interface: UInt16
        let flow: UInt16
        let mark: Watch.Mark
        var ended: (at: Instant, why: ConnectionEnd)?
    }

    init(_ terms: NameTerms) { self.terms = terms }

    // MARK: What happens

    mutating func read(_ event: RunEvent, at mark: Watch.Mark) {
        switch event.fact {
        case .network(.nameAnswered(let question, let answer)):
            answers.append(Answer(question: question, answer: answer, mark: mark))
        case .connection(.opening(let name, _, _)):
            openings[Connection(name: name, app: event.app)] = mark
        case .connection(.attempt(let name, let family, let interface, let flow)):
            attempts.append(
                Attempt(
                    connection: Connection(name: name, app: event.app), family: family,
                    interface: interface, flow: flow, mark: mark))
        case .connection(.attemptEnded(let name, let family, let why)):
            let connection = Connection(name: name, app: event.app)
            let place = attempts.lastIndex {
                $0.connection == connection && $0.family == family
            }
            if let place { attempts[place].ended = (event.at, why) }
        case .link(.down(let link)): losses.append((link / 2, mark))
        default: break
        }
    }

    mutating func read(_ record: PacketRecord) {
        if record.flow == terms.flow {
            if record.kind == .delivered, record.link % 2 == 1 {
                deliveredAnswers.append((record.link / 2, record.atNanoseconds))
            }
        } else if record.flags.asksToOpen {
            if record.kind == .sent {
                synchronizations.append((record.flow, record.atNanoseconds, record.size))
            }
        } else if record.flags.contains(.rst), record.kind == .delivered {
            resets.append((record.flow, record.atNanoseconds))
        }
    }

    // MARK: The judgement

    /// Returns the first breach with its place, and counts how often each clause was decided.
    func breach(
        _ evidence: inout Evidence<NetworkObeysPhysics.Clause>
    ) -> (mark: Watch.Mark, slip: Slip)? {
        for answer in answers where answer.answer != .silence {
            let isReal = deliveredAnswers.contains {
                $0.interface == answer.question.interface
                    && $0.at == answer.mark.at.nanoseconds
            }
            guard isReal else {
                let slip = Slip(
                    expected: "a packet with the answer arrives when a phone learns it",
                    seen: "\(answer.question.sentence), is answered without one")
                return (answer.mark, slip)
            }
        }
        for place in attempts.indices {
            if let slip = slip(ofAttempt: place, &evidence) {
                return (attempts[place].mark, slip)
            }
        }
        return nil
    }

    private func slip(
        ofAttempt place: Int, _ evidence: inout Evidence<NetworkObeysPhysics.Clause>
    ) -> Slip? {
        let attempt = attempts[place]
        let at = attempt.mark.at
        guard let known = answer(about: attempt.family, for: attempt), known.answer == .address
        else {
            return Slip(
                expected: "an \(attempt.family.name) address that an answer of the last "
                    + "\(terms.keep) has named",
                seen: "\(attempt.connection.name) tries \(attempt.family.name) without one")
        }
        evidence.decides(.names)
        let synchronization = synchronizations.first {
            $0.flow == attempt.flow && $0.at == at.nanoseconds
        }
        guard let synchronization else {
            return Slip(
                expected: "a SYN of flow \(attempt.flow) leaves when \(attempt.connection.name) "
                    + "tries \(attempt.family.name)",
                seen: "none does")
        }
        let size = Self.synchronizationSize(attempt.family)
        guard synchronization.size == size else {
            return Slip(
                expected: "a SYN of flow \(attempt.flow) has \(size) B, as over "
                    + "\(attempt.family.name)",
                seen: "it has \(synchronization.size) B")
        }
        let earlier = attempts[..<place].last { $0.connection == attempt.connection }
        if let earlier { return slip(of: attempt, after: earlier, &evidence) }
        guard attempt.family == .ipv4 else { return nil }
        return slip(ofIPv4: attempt, known: known.mark.at, &evidence)
    }

    /// The second attempt of a connection: it waits until the first has failed, or for its time.
    private func slip(
        of attempt: Attempt, after earlier: Attempt,
        _ evidence: inout Evidence<NetworkObeysPhysics.Clause>
    ) -> Slip? {
        evidence.decides(.attempts)
        let (first, second) = (earlier.mark.at, attempt.mark.at)
        if second >= first + Self.attemptDelay { return nil }
        if let ended = earlier.ended, ended.at <= second {
            let isReset = resets.contains {
                $0.flow == earlier.flow && first.nanoseconds <= $0.at
                    && $0.at <= ended.at.nanoseconds
            }
            if isReset || ended.why != .refused { return nil }
        }
        return Slip(
            expected: "\(attempt.connection.name) gives its first attempt "
                + "\(Self.attemptDelay), unless it fails before (RFC 8305 §5)",
            seen: "the second begins after \(second - first)")
    }

    /// The first attempt of a connection by IPv4: it waits for an answer about IPv6, but not long.
    private func slip(
        ofIPv4 attempt: Attempt, known: Instant,
        _ evidence: inout Evidence<NetworkObeysPhysics.Clause>
    ) -> Slip? {
        if let other = answer(about: .ipv6, for: attempt) {
            guard other.answer == .address else { return nil }
            return Slip(
                expected: "\(attempt.connection.name) tries IPv6 first (RFC 8305 §4)",
                seen: "it tries IPv4, although the server's IPv6 address is known")
        }
        evidence.decides(.preference)
        let since = max(known, openings[attempt.connection]?.at ?? .start)
        guard attempt.mark.at < since + Self.resolutionDelay else { return nil }
        return Slip(
            expected: "\(attempt.connection.name) waits \(Self.resolutionDelay) for an answer "
                + "about IPv6 before it tries IPv4 (RFC 8305 §3)",
            seen: "it waits \(attempt.mark.at - since)")
    }

    /// Returns the latest answer that the phone may use at an attempt; a failure is one to the
    /// connections that wait for it.
    private func answer(about family: AddressFamily, for attempt: Attempt) -> Answer? {
        let question = NameQuestion(interface: attempt.interface, family: family)
        let event = attempt.mark.event
        let opening = openings[attempt.connection]
        let opened = opening?.at ?? .start
        return answers.last { answer in
            let from = answer.mark.at
            guard answer.question == question, answer.mark.event < event else { return false }
            let isLost = losses.contains {
                $0.interface == attempt.interface && answer.mark.event < $0.mark.event
                    && $0.mark.event < opening?.event ?? 0
            }
            // A connection uses what it has learnt itself, or knew at its opening, however late.
            return opened <= from || !isLost && opened < from + terms.keep
        }
    }
}
