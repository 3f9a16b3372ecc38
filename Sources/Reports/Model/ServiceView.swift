package import Quantities

/// The status of a server for its status page.
package struct ServiceView: Hashable, Sendable, Codable {
    package var docroot: String
    /// The address for its clients.
    package var address: String
    /// The folder of the recording, if there is one.
    package var recording: String?
    package var connections: Int
    /// Datagrams that nobody has sealed who may: forged, cut off, or of sessions that are over.
    package var refusedDatagrams: UInt64
    package var faults: [Fault]
    package var transfers: [Transfer]
    /// Recent events, the latest first.
    package var recent: [Happening]

    package init(
        docroot: String, address: String, recording: String?, connections: Int,
        refusedDatagrams: UInt64, faults: [Fault], transfers: [Transfer], recent: [Happening]
    ) {
        self.docroot = docroot
        self.address = address
        self.recording = recording
        self.connections = connections
        self.refusedDatagrams = refusedDatagrams
        self.faults = faults
        self.transfers = transfers
        self.recent = recent
    }

    package struct Fault: Hashable, Sendable, Codable {
        package var name: String
        package var isOn: Bool
        /// The number of times that the fault has taken effect.
        package var hits: UInt64
        /// The address for the POST that switches the fault.
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
