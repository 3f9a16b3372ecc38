package import Quantities

/// A script of faults as data: rules in order, and the seed for chance.
package struct FaultScript: Hashable, Sendable {
    package var rules: [FaultRule]
    package var seed: UInt64

    package init(_ rules: [FaultRule] = [], seed: UInt64 = 1) {
        self.rules = rules
        self.seed = seed
    }
}

/// A rule: which fault, at which place of a request, for which requests, and when.
package struct FaultRule: Hashable, Sendable {
    /// The name for switching and for the log.
    package var name: String
    package let fault: Fault
    package let point: FaultPoint
    package var route: FaultRoute
    package var occasion: FaultOccasion
    /// When the rule is switched on; `nil` means only by hand.
    package var from: Instant?
    /// When the rule is switched off.
    package var until: Instant?

    package init(
        name: String, _ fault: Fault, at point: FaultPoint? = nil,
        route: FaultRoute = FaultRoute(), occasion: FaultOccasion = FaultOccasion(),
        from: Instant? = .start, until: Instant? = nil
    ) {
        let point = point ?? FaultPoint(fault.places[0])
        precondition(fault.places.contains(point.kind), "\(fault) cannot happen at \(point)")
        self.name = name
        self.fault = fault
        self.point = point
        self.route = route
        self.occasion = occasion
        self.from = from
        self.until = until
    }
}

/// A filter of requests and clients; `nil` means all.
package struct FaultRoute: Hashable, Sendable {
    package var frontEnd: FrontEnd?
    package var method: String?
    /// A pattern for the decoded path; a star matches anything, including slashes.
    package var path: String?
    /// The name of the account.
    package var user: String?
    /// The client's network.
    package var client: ClientNetwork?
    /// The number of the connection, from 1.
    package var connection: UInt32?

    package init(
        frontEnd: FrontEnd? = nil, method: String? = nil, path: String? = nil,
        user: String? = nil, client: ClientNetwork? = nil, connection: UInt32? = nil
    ) {
        self.frontEnd = frontEnd
        self.method = method
        self.path = path
        self.user = user
        self.client = client
        self.connection = connection
    }

    func takes(_ request: FaultedRequest) -> Bool {
        (frontEnd == nil || frontEnd == request.frontEnd)
            && (method == nil || method == request.method)
            && (user == nil || user == request.user)
            && client.map { $0.contains(request.client) } ?? true
            && (connection == nil || connection == request.ordinal)
            && path.map { Self.matches(request.path, $0) } ?? true
    }

    /// Matches in a time of at most the product of the lengths, whatever the pattern.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        var (at, within) = (0, 0)
        /// The last star, and the end of the text that it matches so far.
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if within < pattern.count, pattern[within] == UInt8(ascii: "*") {
                star = (within, at)
                within += 1
            } else if within < pattern.count, pattern[within] == text[at] {
                (at, within) = (at + 1, within + 1)
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (at, within) = (last.text + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[within...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// A selection among the requests of a rule, counted from 1 since it was switched on.
package struct FaultOccasion: Hashable, Sendable {
    package var first: UInt64
    package var last: UInt64
    /// One in this many of them.
    package var period: UInt64
    package var chance: Probability
    /// The largest number of effects.
    package var times: UInt64

    package init(
        first: UInt64 = 1, last: UInt64 = .max, period: UInt64 = 1,
        chance: Probability = .always, times: UInt64 = .max
    ) {
        precondition(period > 0, "every 0th request")
        self.first = first
        self.last = last
        self.period = period
        self.chance = chance
        self.times = times
    }

    func takes(_ number: UInt64) -> Bool {
        number >= first && number <= last && (number - first) % period == 0
    }
}
