import DocrootServer
import Quantities
import RunPlan

/// The key `server`: its faults, and what it grants its clients.
enum ServerKeys {
    static var shape: Shape { keys.shape }

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        keys.read(node, into: &draft)
    }

    private static let keys = KeyTable<ScenarioDraft>(
        name: "“server”",
        keys: [
            FaultKeys.key,
            .optional(
                "uploads-expire-after", .time,
                "how long the server keeps an unfinished upload; by default it keeps it for ever",
                example: "1 h", \.server.uploadLifetime
            ) { node in
                node.text(expected: Measure.time.expectation)?.time(expected: "a time above 0 s") {
                    $0 > .zero ? nil : "an upload would expire at once"
                }
            },
            .optional(
                "patience", patience.shape,
                "how long the server waits for its clients; by default for ever",
                example: "{ request: 30 s, progress: 10 s }", \.server.patience
            ) { node in
                var draft = PatienceDraft()
                patience.read(node, into: &draft)
                return both(draft.request, draft.progress).map {
                    Patience(request: $0, progress: $1)
                }
            },
            .optional(
                "names", NameKeys.shape,
                "how phones find the server's addresses; by default they know its only one",
                example: "{ answer: 40 ms, addresses: [ipv6, ipv4] }"
            ) { node, draft in
                draft.namePlan = NameKeys.read(node, over: draft.interfaces)
            },
            .optional(
                "connections", .number,
                "how many connections it serves at a time; more are answered 503",
                \.server.connectionsLimit
            ) { $0.count(in: 1...1_000_000, "a number from 1 to 1000000").map { Int($0) } },
            .choice(
                "paced",
                "the paced transport at its door: `open` (the default), `missing` (the server "
                    + "does not offer it), `closed` (nobody listens at the port), `blocked` (a "
                    + "firewall drops what clients send), `mute` (it drops what the server sends)",
                complaint: "no server has such a door", \.pacedDoor),
            .optional(
                "longest-body", .size,
                "the longest body of a request; longer ones are answered 413",
                example: "1 MB", \.server.bodyLimit
            ) { $0.text(expected: "a size such as 1 MB")?.size() },
            .optional(
                "accounts", .mapping(of: .text, to: account.shape),
                "users of the server by their names; with them, a request without credentials is "
                    + "answered 401. Apps say who they are with `sign-in`",
                example: "{ ada: { password: engine, folder: ada } }", \.server.accounts,
                read: accounts),
        ])

    private struct PatienceDraft {
        var request: TimeSpan?
        var progress: TimeSpan?
    }

    private static let patience = KeyTable<PatienceDraft>(
        name: "“patience”",
        keys: [
            .required(
                "request", .time, "for the whole head of a request", example: "30 s", \.request,
                read: patientTime),
            .required(
                "progress", .time, "for the next byte of a body, and for room for one of an answer",
                example: "10 s", \.progress, read: patientTime),
        ])

    private static func patientTime(_ node: YAMLNode) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?.time(expected: "a time above 0 s") {
            $0 > .zero ? nil : "every client would be dropped at once"
        }
    }

    private static let account = KeyTable<ServerUser>(
        name: "an account of the server",
        keys: [
            .optional(
                "tokens-last", .time,
                "how long a bearer token is good that the user gets at `/token`; by default there "
                    + "are none",
                example: "60 s", \.tokenLifetime
            ) {
                $0.text(expected: Measure.time.expectation)?.time(expected: "a time from 1 s") {
                    $0 < .seconds(1) ? "a token would be good for no request" : nil
                }
            },
            .optional(
                "token", .text, "a bearer token that is always good", example: "t0"
            ) { node, account in
                guard let token = node.bearerToken() else { return }
                account.tokens = [ServerUser.Token(text: token, expires: nil)]
            },
            .required(
                "password", .text, "for `Authorization: Basic`", example: "engine", \.password
            ) {
                $0.text(expected: "a password")?.text
            },
            .optional(
                "folder", .path, "the folder that the user sees as the root; by default all",
                \.docroot
            ) { node in
                guard let words = node.text(expected: "a folder such as films/ada") else {
                    return nil
                }
                guard let path = try? ObjectPath(words.text) else {
                    return words.refuse(
                        "“\(words.text)” is no path on the server",
                        expected: "a folder such as films/ada")
                }
                return path
            },
            .optional("quota", .size, "how much the user may keep", \.quota) {
                $0.text(expected: "a size such as 1 MB")?.size()
            },
        ])

    private static func accounts(_ node: YAMLNode) -> [ServerUser]? {
        node.pairs(expected: "accounts by their names")?.map { name, value in
            var one = ServerUser(
                name: name.text, password: nil, tokens: [], docroot: .root, quota: nil)
            account.read(value, into: &one)
            return one
        }
    }
}

extension ServerSettings {
    /// What is unusual about them, in plain words.
    var sentences: [String] {
        var sentences: [String] = []
        if let uploadLifetime {
            sentences.append("The server keeps an unfinished upload for \(uploadLifetime).")
        }
        if let patience {
            sentences.append(
                "The server waits \(patience.request) for a request, and \(patience.progress) for "
                    + "progress.")
        }
        let usual = ServerSettings()
        if connectionsLimit != usual.connectionsLimit {
            sentences.append("The server serves \(connectionsLimit) connections at a time.")
        }
        if bodyLimit != usual.bodyLimit {
            sentences.append("The server takes bodies of at most \(bodyLimit).")
        }
        for account in accounts {
            let quota = account.quota.map { ", up to \($0)" } ?? ""
            let folder =
                account.docroot.text.isEmpty
                ? "everything" : "“\(account.docroot.text)”"
            sentences.append("The server knows \(account.name), who sees \(folder)\(quota).")
        }
        return sentences
    }
}

extension PacedDoor {
    var sentence: String? {
        switch self {
        case .open: nil
        case .missing: "The server offers no paced transport."
        case .closed: "Nobody listens at the server's port of the paced transport."
        case .blocked: "A firewall drops what clients send by the paced transport."
        case .mute: "A firewall drops what the server sends by the paced transport."
        }
    }
}
