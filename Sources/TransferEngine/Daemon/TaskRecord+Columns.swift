import Protocols
import Quantities

extension TaskRecord: StoredRecord {
    package static let table = Table(
        "task", key: ["app", "number"],
        blank: TaskRecord(
            id: TaskID(app: 0, number: 0), session: "", account: .blank, transfer: .blank),
        columns: [
            Column("app", \.app, .never) { $0.app.stored },
            Column("number", \.number, .by { $1.add($0.id.transfer.number) }) { $0.number.stored },
            Column("session", \.session) { $0.session.stored },
            Column("host", \.account.host) { $0.account.host.stored },
            Column("port", \.account.port) { $0.account.port.stored },
            Column("credentials", \.account.credentials.name) {
                $0.account.credentials.name.stored
            },
            Column("source", \.transfer.source) { $0.transfer.source.stored },
            Column("destination", \.transfer.destination) { $0.transfer.destination.stored },
            Column("fingerprint_size", \.transfer.fingerprintSize) {
                $0.transfer.fingerprintSize.stored
            },
            Column("fingerprint_modified", \.transfer.fingerprintModified, .ifAny) {
                $0.transfer.fingerprintModified.stored
            },
            Column("key", \.transfer.resource, after: "destination") {
                $0.transfer.resource.stored
            },
            Column("is_complete", \.transfer.isComplete, after: "outcome") {
                $0.transfer.isComplete.stored
            },
            Column("is_download", \.isDownload, after: "outcome") { $0.isDownload.stored },
            Column("network_limits", \.limits) { $0.limits.stored },
            Column("is_discretionary", \.configuration.isDiscretionary) {
                $0.configuration.isDiscretionary.stored
            },
            Column("is_resumable", \.isResumable, since: 4, before: false, named: "resumable") {
                $0.isResumable.stored
            },
            Column("state", \.state) { $0.state.stored },
            Column("failures", \.failures) { $0.failures.stored },
            Column("not_before", \.notBefore, .by { $1.add($0.notBefore) }) { $0.notBefore.stored },
            Column("deadline", \.deadline, .by { $1.add($0.deadline) }) { $0.deadline.stored },
            Column("installation", \.installation, since: 5, before: 0, named: "installation") {
                $0.installation.stored
            },
            Column("outcome", \.outcomeNumber, .by { $1.add($0.outcome) }) {
                $0.outcomeNumber.stored
            },
            Column("method", \.method, since: 6, before: nil, named: "method") {
                $0.method.stored
            },
            Column("fields", \.fields, since: 6, before: HTTPFields(), named: "fields") {
                $0.fields.stored
            },
            Column(
                "session_limits", \.configuration.limits, since: 6, before: [],
                named: "session limits"
            ) { $0.configuration.limits.stored },
            Column(
                "request_timeout", \.configuration.requestTimeout, since: 6,
                before: usual.requestTimeout, named: "request timeout"
            ) { $0.configuration.requestTimeout.stored },
            Column(
                "resource_timeout", \.configuration.resourceTimeout, since: 6,
                before: usual.resourceTimeout, named: "resource timeout"
            ) { $0.configuration.resourceTimeout.stored },
            Column(
                "launches_app", \.configuration.sendsLaunchEvents, since: 6, before: true,
                named: "launches app"
            ) { $0.configuration.sendsLaunchEvents.stored },
            Column("response", \.response, since: 6, before: HTTPFields(), named: "response") {
                $0.response.stored
            },
            Column("answer", \.answerText, since: 6, before: "", named: "answer") {
                $0.answerText.stored
            },
            Column("keeps_part", \.keepsPart, since: 6, before: false, named: "keeps part") {
                $0.keepsPart.stored
            },
            Column("is_told", \.isTold, since: 6, before: false, named: "is told") {
                $0.isTold.stored
            },
            Column("uses_tls", \.account.usesTLS, since: 7, before: false, named: "TLS") {
                $0.account.usesTLS.stored
            },
            .mark(since: 2),
        ])

    /// The answer as Base64.
    private var answerText: String {
        get { Base64.encode(answer) }
        set { answer = Base64.decode(newValue) ?? [] }
    }

    private static let usual = BackgroundConfiguration()

    /// The header fields of the server's answer.
    private var response: HTTPFields {
        get { if case .answered(let response) = outcome { response.fields } else { HTTPFields() } }
        set {
            guard case .answered(var response) = outcome else { return }
            response.fields = newValue
            outcome = .answered(response)
        }
    }

    private var app: UInt16 {
        get { id.app }
        set {
            id.app = newValue
            transfer.id = id.transfer
        }
    }

    private var number: UInt64 {
        get { id.number }
        set {
            id.number = newValue
            transfer.id = id.transfer
        }
    }

    /// Statuses are positive, and the errors of URLs negative.
    private var outcomeNumber: Int? {
        get {
            switch outcome {
            case nil: nil
            case .answered(let response): response.status
            case .failed(let error): error.rawValue
            }
        }
        set {
            outcome = newValue.flatMap { number in
                guard number < 0 else { return .answered(status: number) }
                return TaskError(rawValue: number).map { .failed($0) }
            }
        }
    }
}

extension MarkMixer {
    /// Adds 1 to tell the moment 0 from none.
    fileprivate mutating func add(_ moment: Instant?) {
        add((moment?.nanoseconds).map { $0 &+ 1 } ?? 0)
    }

    fileprivate mutating func add(_ outcome: TaskOutcome?) {
        switch outcome {
        case nil: add(0)
        case .answered(let response):
            add("answered", UInt64(bitPattern: Int64(response.status)))
        case .failed(let error): add("failed", UInt64(bitPattern: Int64(error.rawValue)))
        }
    }
}
