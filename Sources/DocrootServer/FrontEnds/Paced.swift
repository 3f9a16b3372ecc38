package import Protocols
import Quantities

/// `/paced`: opens sessions of the paced transport. POST opens one, which is a connection of its
/// own on which requests come as over TCP; GET of its name tells whether a packet of it has
/// arrived.
extension DocrootServer {
    mutating func beginPaced(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let port = settings.pacedPort else {
            throw HTTPError(404, "the paced transport is not offered here")
        }
        switch (head.method, target.behindFirst) {
        case ("POST", ""):
            let rates = try PacedRequest.settings(parsing: head)
            let nonce = try PacedRequest.nonce(parsing: head)
            let hasChannels = PacedChannels.isWanted(by: head.fields)
            let session = openSession()
            let own = PacedNonce(identity: settings.identity, count: session)
            outputs.append(
                .admit(
                    PacedSession(
                        number: session, rates: rates, hasChannels: hasChannels, client: nonce,
                        server: own,
                        authorization: head.fields["Authorization"] ?? "")))
            let grant = PacedGrant(
                session: session, port: port, nonce: own, hasChannels: hasChannels)
            respond(Answer(201, grant.fields, text: "session \(session)"), on: id)
        case ("GET", let name):
            guard let session = PacedGrant.session(name), let hasHeard = pacedSessions[session]
            else { throw HTTPError(404, "no such session was opened") }
            respond(Answer(200, PacedNews.fields(hasHeard: hasHeard), text: ""), on: id)
        default:
            throw HTTPError(
                405, "\(head.method) has no meaning here", fields: [("Allow", "GET, POST")])
        }
    }

    /// Numbers a session so that none of an earlier process has the same number.
    private mutating func openSession() -> UInt64 {
        lastSession = max(lastSession + 1, settings.wallClock(at: now) << 20)
        pacedSessions[lastSession] = false
        // Clients ask soon or never.
        if pacedSessions.count > ServerSettings.rememberedSessions {
            let half = ServerSettings.rememberedSessions / 2
            for session in pacedSessions.keys.sorted().dropLast(half) {
                pacedSessions[session] = nil
            }
        }
        return lastSession
    }
}

/// A session of the paced transport that a client may open, once.
package struct PacedSession: Hashable, Sendable {
    package let number: UInt64
    /// The rates for what the server sends.
    package let rates: PacedSettings
    package let hasChannels: Bool
    /// What both sides derive its keys from.
    package let client: PacedNonce
    package let server: PacedNonce
    package let authorization: String
}
