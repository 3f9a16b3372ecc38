import RunLog

/// The sessions of several files (A21): one file's failure stops no other, and the end of the
/// session says which are missing.
struct SetsOfFiles: Sendable {
    private var sets: [ItemName: [File]] = [:]
    /// The files of a session as its end was decided. The app may run it again before it hears.
    private var decided: [ItemName: [File]] = [:]
    private var places: [TransferName: (session: ItemName, place: Int)] = [:]
    private(set) var evidence = Evidence<Clause>()
    /// Explicit runs that the store has not yet kept: a process that dies forgets them.
    private var renewals: [Renewal] = []

    private struct Renewal: Sendable {
        var session: ItemName
        /// The files that get another try.
        var tries: [Int]
        var app: UInt16?
        /// The first change that was handed to the store afterwards.
        var ticket: UInt64?
    }

    private struct File: Sendable {
        var name: String
        var state = State.open

        enum State: Sendable {
            case open, complete, givenUp
            /// Given up, unless the wish for another try has survived its process.
            case mayBeGivenUp
        }
    }

    private static let someFilesFailed = 27
    /// The errors of A16 that are those of one file.
    private static let errorsOfOneFile: Set<Int> = [4, 5, 21, 25, 41, 42, 43, 55]
    /// The number of files that a message has to name.
    private static let mostNamed = 5

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .engine(.accepts(let session, _, let transfers))
        where session.facade == .queue && transfers.count > 1 && sets[session] == nil:
            sets[session] = transfers.map { File(name: $0.source) }
            for (place, transfer) in transfers.enumerated() {
                places[transfer.transfer] = (session, place)
            }
        case .engine(.completes(let transfer)): change(transfer, to: .complete)
        case .engine(.givesUp(let transfer, _)): change(transfer, to: .givenUp)
        case .engine(.startsOver(let transfer, _)): change(transfer, to: .open)
        case .queue(.asked(let session, .run)):
            renew(session, of: event.app)
        case .store(.requested(let ticket, _, _)):
            for place in renewals.indices where renewals[place].app == event.app {
                renewals[place].ticket = renewals[place].ticket ?? ticket
            }
        case .store(.committed(let ticket)):
            renewals.removeAll { $0.app == event.app && ($0.ticket ?? .max) <= ticket }
        case .device(.appKilled), .device(.appCrashed): forgetRenewals(of: event.app)
        case .engine(.moves(let session, _, let stage, _)) where stage.isTerminal:
            decided[session] = sets[session]
        case .queue(.callback(let session, .didDeactivate(let result))):
            guard let files = decided.removeValue(forKey: session) ?? sets[session] else { return }
            try judge(session, files, ending: result)
        default: break
        }
    }

    private mutating func renew(_ session: ItemName, of app: UInt16?) {
        let files = sets[session] ?? []
        let again = files.indices.filter {
            files[$0].state == .givenUp || files[$0].state == .mayBeGivenUp
        }
        guard !again.isEmpty else { return }
        for place in again { sets[session]?[place].state = .open }
        renewals.append(Renewal(session: session, tries: again, app: app))
    }

    private mutating func forgetRenewals(of app: UInt16?) {
        for renewal in renewals where renewal.app == app {
            for place in renewal.tries where sets[renewal.session]?[place].state == .open {
                sets[renewal.session]?[place].state = .mayBeGivenUp
            }
        }
        renewals.removeAll { $0.app == app }
    }

    private mutating func change(_ transfer: TransferName, to state: File.State) {
        guard let (session, place) = places[transfer] else { return }
        sets[session]?[place].state = state
    }

    private mutating func judge(
        _ session: ItemName, _ files: [File], ending result: SessionResult
    ) throws(Slip) {
        let open = files.first { $0.state == .open }
        let failed = files.filter { $0.state == .givenUp }
        let mayHaveFailed = files.first { $0.state == .mayBeGivenUp }
        switch result {
        case .completed:
            evidence.decides(.allArrive)
            if let missing = open ?? failed.first ?? mayHaveFailed {
                throw Slip(
                    expected: "\(session) completes when all of its files have arrived",
                    seen: "\(missing.name) has not")
            }
        case .failed(Self.someFilesFailed, let message):
            evidence.decides(.othersGoOn)
            evidence.decides(.named)
            if let open {
                throw Slip(
                    expected: "every file of \(session) has its turn before it ends",
                    seen: "\(open.name) had none")
            }
            if let unnamed = failed.prefix(Self.mostNamed).first(where: {
                !Self.names($0.name, in: message)
            }) {
                throw Slip(
                    expected: "the end of \(session) names \(unnamed.name), which failed",
                    seen: message)
            }
            if failed.isEmpty, mayHaveFailed == nil {
                throw Slip(
                    expected: "a file of \(session) has failed", seen: "all have arrived")
            }
        case .failed(let code, let message) where Self.errorsOfOneFile.contains(code):
            evidence.decides(.othersGoOn)
            throw Slip(
                expected: "the other files of \(session) have their turn, and it ends with error "
                    + "\(Self.someFilesFailed)",
                seen: "it ends with error \(code), \(message)")
        case .failed, .cancelled, .stopped: break
        }
    }
}

extension SetsOfFiles {
    /// Whether a message names a file. The engine names an object as its user sees it, which may
    /// be below a folder of the server.
    private static func names(_ file: String, in message: String) -> Bool {
        message.split(separator: ": ").last.map(String.init)?.split(separator: ", ")
            .contains { entry in
                let name = String(entry.prefix { $0 != "(" }.dropLast())
                return name == file || file.hasSuffix("/\(name)")
            } ?? false
    }
}

extension SetsOfFiles {
    enum Clause: String, ClauseName {
        /// Decided by each session of several files that completes: one of them could be missing.
        case allArrive = "all files of a set"
        /// Decided by each session of several files that ends because of some of them.
        case othersGoOn = "after a failed file"
        /// Decided by each end with error 27.
        case named = "failed files are named"

        var sentence: String {
            switch self {
            case .allArrive: "a session of several files completes when all have arrived"
            case .othersGoOn: "a file that fails keeps no other file of its session from its turn"
            case .named: "a session that ends with error 27 names the files that failed"
            }
        }
    }
}
