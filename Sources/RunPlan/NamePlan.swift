package import Quantities
package import RunLog

/// How phones find the addresses of the server, and which of them can be reached.
package struct NamePlan: Hashable, Sendable {
    /// The time that the resolver of a network takes to find an answer.
    package var answer = TimeSpan.milliseconds(20)
    /// The time for which a phone may use an answer.
    package var keep = TimeSpan.seconds(300)
    /// The families in which the server has an address.
    package var addresses: [AddressFamily] = [.ipv4]
    /// What becomes of connections to the IPv6 address.
    package var ipv6 = Reach.open
    package var failure: Failure?

    package init() {}

    package enum Reach: String, Hashable, Sendable, CaseIterable {
        case open
        case refused
        /// Nothing ever comes back.
        case blackHole = "black hole"
    }

    /// A time in which the resolver does not do its work.
    package struct Failure: Hashable, Sendable {
        package var from: Instant
        /// The first moment at which it works again.
        package var until: Instant
        package var kind: Kind

        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case silence = "no answer"
            case notFound = "not found"
            case serverFailure = "server failure"
        }

        package init(from: Instant, until: Instant, kind: Kind = .silence) {
            self.from = from
            self.until = until
            self.kind = kind
        }
    }

    /// Returns what the resolver answers at this moment; `nil` if it does not.
    package func answer(about family: AddressFamily, at now: Instant) -> NameAnswer? {
        if let failure, failure.from <= now, now < failure.until {
            switch failure.kind {
            case .silence: return nil
            case .notFound: return .notFound
            case .serverFailure: return .serverFailure
            }
        }
        return addresses.contains(family) ? .address : .noAddress
    }
}
