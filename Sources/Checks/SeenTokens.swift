import Quantities
import RunLog

/// What clients do with bearer tokens, by the words of the server and by the requests of the apps:
/// the engine is not asked which token it sends, only whether its app has given another secret
/// (S12).
struct SeenTokens: Sendable {
    private(set) var evidence = Evidence<Clause>()
    private var clients: [UInt16: Client] = [:]
    /// The app and the time of each open request, by its connection.
    private var requests: [ConnectionName: Request] = [:]
    /// Refused requests whose answers nobody has heard, oldest first.
    private var refusals: [Refusal] = []
    /// Issued tokens whose answers nobody has heard, oldest first.
    private var issues: [(at: Int, token: Token)] = []
    private var events = 0
    /// The first app with a token of each user, and the users of several apps: nobody tells which
    /// app has which of their tokens.
    private var owners: [String: UInt16] = [:]
    private var shared: Set<String> = []

    /// The time that a process needs to forget a token that was refused.
    private static let forgetting = TimeSpan.milliseconds(10)

    private struct Client: Sendable {
        /// The tokens that the app has heard are refused, with when.
        var refused: [Token: (event: Int, at: Instant)] = [:]
        /// The last token for each user.
        var tokens: [String: Token] = [:]
        /// The names of the app's credentials.
        var names: Set<String> = []
        /// The connection on which a token is asked for.
        var asking: Set<ConnectionName> = []
        /// Whether the app has given another secret, or a token was refused, since its last token.
        var lacksOne = true
    }

    private struct Request: Sendable {
        let app: UInt16
        let at: Int
        let method: String
        let target: String

        var isForToken: Bool { method == "POST" && target == "/token" }
    }

    private struct Token: Hashable, Sendable {
        let user: String
        let name: String
    }

    private struct Refusal: Sendable {
        let at: Int
        let token: Token?
        let method: String
        let target: String
    }

    /// Whether an app has asked for a token, or has heard that one is refused.
    var hasEvidence: Bool { evidence.all.contains { $0.decided > 0 } }

    /// Reads an event; returns the first slip that it shows.
    mutating func read(_ event: RunEvent) -> Slip? {
        events += 1
        let app = event.app ?? 1
        switch event.fact {
        case .server(.tokenIssued(let user, let token)):
            issues.append((events, Token(user: user, name: token)))
        // An answer that the server has spoilt brings no token.
        case .server(.fault(_, _, _, "POST /token"?, let effect)):
            issues.removeAll()
            // One that is no HTTP may never be heard as an answer; one that waits still comes.
            guard effect.contains(" has ") else { break }
            for app in clients.keys { clients[app]?.asking = [] }  // any order: each is alone
        case .server(.credentialRefused(let user, let token, let method, let target)):
            let token = both(user, token).map { Token(user: $0, name: $1) }
            refusals.append(Refusal(at: events, token: token, method: method, target: target))
        case .engine(.credential(let name, .known)):
            clients[app, default: Client()].names.insert(name)
            clients[app]?.lacksOne = true
        case .connection(.request(let connection, let method, let target)):
            let request = Request(app: app, at: events, method: method, target: target)
            requests[connection] = request
            return request.isForToken ? ask(on: connection, app) : nil
        case .connection(.response(let connection, let status, _)):
            return answered(connection, status, at: event.at)
        case .connection(.ended(let connection, _, _)):
            requests[connection] = nil
            clients[app]?.asking.remove(connection)
        // Whoever signs in again may have the same token.
        case .device(.appDataCleared): clients[app] = nil
        case .device(.appKilled), .device(.appCrashed):
            guard let refused = clients[app]?.refused else { break }
            clients[app]?.asking = []
            // The process may have died before it could forget what it had heard.
            clients[app]?.refused = refused.filter {  // any order: each is judged by itself
                event.at - $0.value.at > Self.forgetting
            }
        default: break
        }
        return nil
    }

    private mutating func ask(on connection: ConnectionName, _ app: UInt16) -> Slip? {
        var client = clients[app, default: Client()]
        defer {
            client.asking.insert(connection)
            clients[app] = client
        }
        // Nobody tells for which of several credentials a token is.
        guard client.names.count == 1 else { return nil }
        evidence.decides(.oneAtATime)
        guard client.asking.isEmpty else {
            return Slip(
                expected: "one request for a token at a time, whoever waits for it",
                seen: "another is sent before the first is answered")
        }
        guard !client.tokens.isEmpty, shared.isDisjoint(with: client.tokens.keys) else {
            return nil
        }
        evidence.decides(.onlyWhenRefused)
        guard !client.lacksOne else { return nil }
        return Slip(
            expected: "a token is asked for when the server has refused the one before",
            seen: "the app has one that nobody has refused")
    }

    private mutating func answered(
        _ connection: ConnectionName, _ status: Int, at now: Instant
    ) -> Slip? {
        guard let request = requests.removeValue(forKey: connection) else { return nil }
        var client = clients[request.app, default: Client()]
        defer { clients[request.app] = client }
        if request.isForToken {
            client.asking.remove(connection)
            // One that was issued before was for a request whose answer was lost.
            guard status == 200, let place = issues.firstIndex(where: { $0.at > request.at })
            else { return nil }
            let token = issues.remove(at: place).token
            let owner = owners[token.user, default: request.app]
            if owner != request.app { shared.insert(token.user) }
            owners[token.user] = owner
            client.tokens[token.user] = token
            client.lacksOne = false
            return nil
        }
        guard status == 401 else { return nil }
        client.lacksOne = true
        let place = refusals.lastIndex {
            $0.at > request.at && $0.method == request.method && $0.target == request.target
        }
        guard let place, let token = refusals.remove(at: place).token else { return nil }
        guard let heard = client.refused[token] else {
            client.refused[token] = (events, now)
            evidence.decides(.refusedOnce)
            return nil
        }
        // Two credentials of an app may be the same token, if nobody issued it to one of them.
        let isIssued = token.name.hasPrefix("issued")
        guard request.at > heard.event, isIssued || client.names.count == 1 else { return nil }
        return Slip(
            expected: "the token of \(token.user) that was \(token.name) is not sent again after "
                + "its refusal was heard",
            seen: "\(request.method) \(request.target) sends it")
    }

    private func both(_ first: String?, _ second: String?) -> (String, String)? {
        guard let first, let second else { return nil }
        return (first, second)
    }
}

extension SeenTokens {
    enum Clause: String, ClauseName {
        /// Decided by each request for a token: others may wait for one as well.
        case oneAtATime = "one request for a token"
        /// Decided by each request for a token of an app that had one: it could ask without need.
        case onlyWhenRefused = "token asked for when needed"
        /// Decided by the first refusal of each token that its app hears: the next request could
        /// send it again.
        case refusedOnce = "refused token"

        var sentence: String {
            switch self {
            case .oneAtATime: "a token is asked for by one request at a time, whoever waits"
            case .onlyWhenRefused: "a token is asked for only when the one before was refused"
            case .refusedOnce: "a token whose refusal was heard is not sent again"
            }
        }
    }
}
