import Quantities
import Testing
import TransferEngine

/// Behaviour A16: errors keep their published numbers and names, and each occurs where it should,
/// or there is a reason why it cannot.
@Suite struct ErrorNumberTests {
    struct Published: Sendable {
        let code: Int
        let name: String
        var isRetryable = false
        let fate: Fate
    }

    enum Fate: Sendable {
        case occurs(@Sendable () -> QueueBench)
        /// It cannot: why, and what is said instead if anything is.
        case cannot(String)
    }

    static let table: [Published] = [
        Published(code: 1, name: "protocol error", fate: .occurs { answered("299 Nonsense") }),
        Published(code: 3, name: "ambiguous target", fate: .cannot("each file has its own target")),
        Published(code: 4, name: "no such file", fate: .occurs { found(.missing) }),
        Published(
            code: 5, name: "no permission", fate: .occurs { answered("403 Forbidden", .download) }),
        Published(
            code: 6, name: "not a directory",
            fate: .cannot("a server makes the folders of a path; where it cannot, that is 1")),
        Published(
            code: 7, name: "is a directory",
            fate: .cannot("a source is one file: what is none is 21, a directory too")),
        Published(
            code: 11, name: "internal", fate: .cannot("our own broken rule ends the process")),
        Published(
            code: 12, name: "control connection failed", isRetryable: true,
            fate: .occurs { lost(.refused, isConnected: false) }),
        Published(
            code: 13, name: "control timeout", isRetryable: true,
            fate: .occurs { lost(.timedOut, isConnected: false) }),
        Published(
            code: 14, name: "data connection failed", isRetryable: true,
            fate: .occurs { paced { $0.streamFails(.refused) } }),
        Published(
            code: 15, name: "data timeout", isRetryable: true,
            fate: .occurs {
                paced {
                    $0.streamOpens()
                    $0.lose(.timedOut)
                }
            }),
        Published(
            code: 16, name: "connection lost", isRetryable: true,
            fate: .occurs { lost(.reset, isConnected: true) }),
        Published(
            code: 17, name: "receiver cannot send feedback", isRetryable: true,
            fate: .occurs { unheard("200 OK\r\nPaced-Heard: ?1") }),
        Published(
            code: 18, name: "receiver gets no data", isRetryable: true,
            fate: .occurs { unheard("200 OK\r\nPaced-Heard: ?0") }),
        Published(
            code: 19, name: "authentication",
            fate: .occurs { answered("401 Unauthorized") }),
        Published(
            code: 20, name: "nothing to transfer",
            fate: .cannot("a session without files is refused before it is enqueued (A18)")),
        Published(code: 21, name: "not a regular file", fate: .occurs { found(.notARegularFile) }),
        Published(
            code: 23, name: "too many open files", isRetryable: true,
            fate: .cannot("a host tells that a file cannot be read: 35")),
        Published(
            code: 24, name: "too big for the file system",
            fate: .cannot("a server tells that it has no room for it: 25")),
        Published(
            code: 25, name: "no space", fate: .occurs { answered("507 Insufficient Storage") }),
        Published(
            code: 26, name: "read-only",
            fate: .cannot("a server tells that it may not be written: 41")),
        Published(
            code: 27, name: "some files failed",
            fate: .occurs {
                var bench = QueueBench(sessions: 0)
                var request = QueueBench.request
                request.files.append(.init(source: "b", destination: "in/b"))
                bench.tell(.command(.queue(.enqueue(request))))
                bench.connect()
                for _ in 1...2 { bench.finds(.missing) }
                return bench
            }),
        Published(
            code: 28, name: "cancelled by user",
            fate: .cannot("the end of an activation that is cancelled has a name of its own (A4)")),
        Published(
            code: 32, name: "out of memory", isRetryable: true,
            fate: .cannot("the system ends a process that has no memory")),
        Published(
            code: 33, name: "no thread", isRetryable: true, fate: .cannot("the engine has none")),
        Published(
            code: 34, name: "unauthorised",
            fate: .occurs {
                var bench = signingIn()
                bench.tell(
                    .credential(CredentialHandle("app"), .notRenewed(status: 401)))
                return bench
            }),
        Published(
            code: 35, name: "disk read", isRetryable: true,
            fate: .occurs {
                var bench = found(.regularFile(file))
                bench.cannotRead()
                return bench
            }),
        Published(
            code: 36, name: "disk write", isRetryable: true,
            fate: .occurs {
                var bench = QueueBench(sessions: 1)
                bench.connect()
                bench.storeRefuses = true
                bench.finds(.regularFile(file))
                return bench
            }),
        Published(
            code: 37, name: "authorisation", isRetryable: true,
            fate: .occurs {
                var bench = signingIn()
                bench.tell(
                    .credential(CredentialHandle("app"), .notRenewed(status: 503)))
                return bench
            }),
        Published(
            code: 39, name: "peer ended the session", isRetryable: true,
            fate: .occurs { lost(.closedByPeer, isConnected: true) }),
        Published(
            code: 40, name: "stalled", isRetryable: true,
            fate: .occurs {
                var bench = found(.regularFile(file))
                bench.wait(TransferEngine.stallLimit)
                return bench
            }),
        Published(
            code: 41, name: "outside the docroot",
            fate: .occurs { answered("403 Forbidden", body: "“../a” leaves the docroot") }),
        Published(
            code: 42, name: "already exists",
            fate: .occurs { answered("200 OK\r\nETag: \"1\"", .upload(.never)) }),
        Published(
            code: 43, name: "cannot stat",
            fate: .occurs { answered("200 OK\r\nETag: \"1\"", .upload(.ifOlder)) }),
        Published(
            code: 44, name: "UDP start failed", isRetryable: true,
            fate: .occurs { asksForPaced("501 Not Implemented") }),
        Published(
            code: 45, name: "bandwidth measurement failed", isRetryable: true,
            fate: .cannot("a path that takes no large packets is measured with small ones")),
        Published(code: 52, name: "validation failed", fate: .cannot(validation)),
        Published(code: 53, name: "validation failed", fate: .cannot(validation)),
        Published(code: 54, name: "validation failed", fate: .cannot(validation)),
        Published(
            code: 55, name: "path too long", fate: .occurs { answered("414 URI Too Long") }),
        Published(
            code: 59, name: "remote storage",
            fate: .cannot("a server whose storage fails answers 5xx: 39")),
    ]

    private static let validation = "no server of ours looks into what it has published"

    @Test(arguments: table.indices) func `each number has its name, and occurs or has a reason`(
        place: Int
    ) {
        let entry = Self.table[place]
        let error = TransferError(rawValue: entry.code)
        switch entry.fate {
        case .occurs(let make):
            #expect(make().errors.map(\.code) == [entry.code])
            #expect(error?.message == entry.name)
            #expect(error?.isRetryable == entry.isRetryable)
        case .cannot(let reason):
            #expect(error == nil && !reason.isEmpty, "\(entry.code) occurs: say where")
        }
    }

    @Test func `no number is missing in the table, and none is there twice`() {
        let codes = Self.table.map(\.code)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count)
        #expect(Set(TransferError.allCases.map(\.code)).isSubset(of: codes))
        let bold = Self.table.filter(\.isRetryable).map(\.code)
        #expect(bold == [12, 13, 14, 15, 16, 17, 18, 23, 32, 33, 35, 36, 37, 39, 40, 44, 45])
    }

    @Test(arguments: table.indices) func `what may be tried again is, and nothing else`(place: Int)
    {
        guard case .occurs(let make) = Self.table[place].fate else { return }
        let bench = make()
        #expect((bench.active == 1) == Self.table[place].isRetryable)
        #expect(bench.heard.contains("1 did deactivate") != Self.table[place].isRetryable)
    }

    // MARK: How it comes to each

    private enum Kind {
        case upload(OverwritePolicy)
        case download
    }

    private static let file = SourceFingerprint(size: ByteCount(10), modified: 7)

    private static func found(_ inspection: SourceInspection) -> QueueBench {
        var bench = QueueBench(sessions: 1)
        bench.connect()
        bench.finds(inspection)
        return bench
    }

    private static func lost(_ why: Disconnection, isConnected: Bool) -> QueueBench {
        var bench = QueueBench(sessions: 1)
        if isConnected { bench.connect() }
        bench.lose(why)
        return bench
    }

    /// The server answers so to the request to open a session of the paced transport.
    private static func asksForPaced(_ answer: String) -> QueueBench {
        var bench = QueueBench(sessions: 0)
        var request = QueueBench.request
        request.settings.transport = .paced
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        bench.hears(answer)
        return bench
    }

    private static func paced(_ happens: (inout QueueBench) -> Void) -> QueueBench {
        var bench = asksForPaced(
            "201 Created\r\nPaced-Session: 0000000000000001\r\nPaced-Port: 33001\r\n"
                + "Paced-Nonce: 000102030405060708090a0b0c0d0e0f")
        happens(&bench)
        return bench
    }

    /// Nothing comes back over UDP, and the server says this of it.
    private static func unheard(_ answer: String) -> QueueBench {
        paced {
            $0.streamFails(.timedOut)
            $0.hears(answer)
        }
    }

    /// A session that waits for its first token.
    private static func signingIn() -> QueueBench {
        var bench = QueueBench(sessions: 0)
        let state = CredentialState(version: 0, length: .zero, renewal: ByteCount(20))
        bench.tell(.credential(CredentialHandle("app"), .known(state)))
        bench.tell(.command(.queue(.enqueue(QueueBench.request))))
        bench.connect()
        return bench
    }

    /// The server answers so to the first request.
    private static func answered(
        _ answer: String, _ kind: Kind = .upload(.always), body: String = ""
    ) -> QueueBench {
        var bench = QueueBench(sessions: 0)
        var request = QueueBench.request
        if case .upload(let policy) = kind { request.settings.overwrite = policy }
        if case .download = kind { request.isDownload = true }
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        if case .download = kind {
            bench.finds(.missing)
        } else {
            bench.finds(.regularFile(file))
        }
        bench.hears(answer, body: body)
        return bench
    }
}
