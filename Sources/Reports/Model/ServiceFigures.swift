package import Quantities

/// What the clients of a recorded server asked, and what they got.
package struct ServiceFigures: Hashable, Sendable, Codable {
    /// In the order in which they were first heard.
    package var clients: [Client] = []
    /// Of clients beyond those of the list.
    package var requestsLeftOut = 0
    /// By method and status, in this order.
    package var answers: [Answer] = []
    /// Answers to methods that found no room in the list.
    package var answersLeftOut = 0
    /// By name, in the order in which they first took effect.
    package var faults: [Fault] = []

    package init() {}

    package struct Client: Hashable, Sendable, Codable {
        package var address: String
        package var requests = 0
        /// Those of them that were answered with 400 or more.
        package var failures = 0
        /// How often the server failed on purpose.
        package var faults = 0
        package var firstAt: Instant
        package var lastAt: Instant

        package init(address: String, at now: Instant) {
            self.address = address
            firstAt = now
            lastAt = now
        }
    }

    package struct Answer: Hashable, Sendable, Codable {
        package var method: String
        package var status: Int
        package var count: Int

        package init(method: String, status: Int, count: Int) {
            self.method = method
            self.status = status
            self.count = count
        }
    }

    package struct Fault: Hashable, Sendable, Codable {
        package var name: String
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }
}
