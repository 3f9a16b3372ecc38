package import Quantities

/// The requests and answers of a recorded server.
package struct ServiceFigures: Hashable, Sendable, Codable {
    /// The clients in order of their first request.
    package var clients: [Client] = []
    /// The number of requests from unlisted clients.
    package var requestsLeftOut = 0
    /// The answers, sorted by method and status.
    package var answers: [Answer] = []
    /// The number of answers to unlisted methods.
    package var answersLeftOut = 0
    /// The faults by name, in order of their first effect.
    package var faults: [Fault] = []

    package struct Client: Hashable, Sendable, Codable {
        package var address: String
        package var requests = 0
        /// The number of answers with status 400 or above.
        package var failures = 0
        /// The number of times that faults took effect.
        package var faults = 0
        package var firstAt: Instant
        package var lastAt: Instant
    }

    package struct Answer: Hashable, Sendable, Codable {
        package var method: String
        package var status: Int
        package var count: Int
    }

    package struct Fault: Hashable, Sendable, Codable {
        package var name: String
        package var count: Int
    }
}
