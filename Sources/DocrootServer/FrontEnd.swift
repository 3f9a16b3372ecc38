import Protocols

/// The languages in which clients speak to the one store, each under a path of its own.
package enum FrontEnd: String, Hashable, Sendable, CaseIterable {
    case dav
    case tus
    case resumable
    case kii
    case once

    /// Where the requests of a target go to; `nil` where nobody answers.
    init?(of target: RequestTarget) {
        switch target.first {
        case "dav": self = .dav
        case "tus": self = .tus
        case "upload", "uploads": self = .resumable
        case "api": self = .kii
        case "once": self = .once
        default: return nil
        }
    }

    /// An upload that may be resumed is not at its end when all of its bytes are there.
    var isEndedByAWord: Bool {
        switch self {
        case .resumable, .kii: true
        case .dav, .tus, .once: false
        }
    }

    /// The path under which the uploads of a front end are found.
    var resources: String {
        switch self {
        case .dav: "/dav"
        case .tus: DocrootServer.collection
        case .resumable: "/uploads"
        case .kii: KiiCall.resources
        case .once: "/once"
        }
    }
}
