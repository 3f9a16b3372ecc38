package import Quantities

/// How a server stands that serves real clients, as far as somebody wants to see it.
package struct ServiceView: Hashable, Sendable, Codable {
    package var docroot: String
    /// Where its clients reach it.
    package var address: String
    /// Where what happens is kept, if it is.
    package var recording: String?
    package var connections: Int
    package var faults: [Fault]
    package var transfers: [Transfer]
    /// What has happened, the latest first.
    package var recent: [Happening]

    package init(
        docroot: String, address: String, recording: String?, connections: Int, faults: [Fault],
        transfers: [Transfer], recent: [Happening]
    ) {
        self.docroot = docroot
        self.address = address
        self.recording = recording
        self.connections = connections
        self.faults = faults
        self.transfers = transfers
        self.recent = recent
    }

    package struct Fault: Hashable, Sendable, Codable {
        package var name: String
        package var isOn: Bool
        /// How often it has taken effect.
        package var hits: UInt64
        /// The address to which a POST switches it over.
        package var toggle: String

        package init(name: String, isOn: Bool, hits: UInt64, toggle: String) {
            self.name = name
            self.isOn = isOn
            self.hits = hits
            self.toggle = toggle
        }
    }

    package struct Transfer: Hashable, Sendable, Codable {
        package var direction: String
        package var object: String
        package var frontEnd: String
        package var done: ByteCount
        package var total: ByteCount?
        package var isUnderWay: Bool
        /// Who is at it.
        package var client: String?

        package init(
            direction: String, object: String, frontEnd: String, done: ByteCount,
            total: ByteCount?, client: String?
        ) {
            self.direction = direction
            self.object = object
            self.frontEnd = frontEnd
            self.done = done
            self.total = total
            isUnderWay = client != nil
            self.client = client
        }
    }

    package struct Happening: Hashable, Sendable, Codable {
        package var at: Instant
        package var sentence: String

        package init(at: Instant, sentence: String) {
            self.at = at
            self.sentence = sentence
        }
    }
}
