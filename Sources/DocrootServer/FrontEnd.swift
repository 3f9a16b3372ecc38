import Protocols

/// The protocols by which clients use the store, each under a path of its own.
package enum FrontEnd: String, Hashable, Sendable, CaseIterable {
    case dav
    case tus
    case resumable
    case kii
    case once
    case token
    /// Opens sessions of the paced transport, over which the other front ends are reached.
    case paced

    /// The front end of a target; `nil` if there is none.
    init?(of target: RequestTarget) {
        switch target.first {
        case "dav": self = .dav
        case "tus": self = .tus
        case "upload", "uploads": self = .resumable
        case "api": self = .kii
        case "once": self = .once
        case "token": self = .token
        case "paced": self = .paced
        default: return nil
        }
    }

    /// Whether a client ends an upload with an explicit message, rather than with its last byte.
    var isEndedByAWord: Bool {
        switch self {
        case .resumable, .kii: true
        case .dav, .tus, .once, .token, .paced: false
        }
    }

    /// The path of a front end's uploads.
    var resources: String {
        switch self {
        case .dav: "/dav"
        case .tus: DocrootServer.collection
        case .resumable: "/uploads"
        case .kii: KiiCall.resources
        case .once: "/once"
        case .token: TokenRequest.target
        case .paced: PacedRequest.target
        }
    }
}
