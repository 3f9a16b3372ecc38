package import Quantities

/// What is to go wrong, as data: rules in their order, and what chance is drawn from.
package struct FaultScript: Hashable, Sendable {
    package var rules: [FaultRule]
    package var seed: UInt64

    package init(_ rules: [FaultRule] = [], seed: UInt64 = 1) {
        self.rules = rules
        self.seed = seed
    }
}

/// One fault: what goes wrong, how far into a request, in which requests, and when.
package struct FaultRule: Hashable, Sendable {
    /// By which it is switched on and off, and by which the log knows it.
    package var name: String
    package let fault: Fault
    package let point: FaultPoint
    package var route: FaultRoute
    package var occasion: FaultOccasion
    /// When it is switched on; `nil`: not before somebody does it.
    package var from: Instant?
    /// When it is switched off.
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

/// Which requests, and whose; `nil` means all.
package struct FaultRoute: Hashable, Sendable {
    package var frontEnd: FrontEnd?
    package var method: String?
    /// Of the decoded path; a star stands for anything, slashes too.
    package var path: String?
    /// By the name of the account.
    package var user: String?
    /// By where it is.
    package var client: ClientNetwork?
    /// The first connection, the second, and so on.
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

    /// In time that grows with the product of the lengths at most, whatever the pattern.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        var (at, within) = (0, 0)
        /// The last star, and the place up to which it stands for the text.
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

/// Which of the requests that a rule is about, counted from 1 since it was switched on.
package struct FaultOccasion: Hashable, Sendable {
    package var first: UInt64
    package var last: UInt64
    /// Of these every so many-th.
    package var period: UInt64
    package var chance: Probability
    /// It takes effect so many times at most.
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
