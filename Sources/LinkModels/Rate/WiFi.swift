package import Quantities

/// A Wi-Fi station's time on the air. It contends for the medium with stations that always have
/// something to send, and then sends what waits, up to a limit, in one aggregate (A-MPDU), whose
/// packets arrive one by one.
///
///     DIFS  backoff  preamble  packet packet …  SIFS  block ack
///
/// The times are those of IEEE 802.11-2020 for OFDM at 5 GHz (Table 17-21, §10.3.2.3, §21.3.2),
/// with a block ack at 24 Mbit/s. Contention is the slotted process of Bianchi (“Performance
/// analysis of the IEEE 802.11 distributed coordination function”, 2000), in which a busy medium
/// counts as one slot. Symbols are not rounded, and no packet is lost on the air: `loss-on-way` is
/// for that.
package struct WiFi: Sendable {
    private let options: Options
    private var random: RandomStream
    private var adaptation: RateAdaptation
    /// Free slots that each station still waits for, this station first, and how often it has
    /// collided in a row.
    private var stations: [(backoff: UInt64, collisions: UInt64)]
    /// Beginning and end of the latest aggregate, without preamble and block ack.
    private var begin: UInt64 = 0
    private var end: UInt64 = 0
    private var packets = 0
    private var bytes: UInt64 = 0
    private var rate: Bitrate

    package struct Options: Hashable, Sendable {
        /// Rates of the physical layer, rising.
        package var rates: [Bitrate]
        /// The stations that contend, with this one.
        package var stations: Int
        /// The most packets of an aggregate.
        package var packets: Int
        /// The most bytes of an aggregate, with their framing.
        package var bytes: ByteCount
        package var adaptation: RateAdaptation.Options?

        package init(
            rates: [Bitrate], stations: Int = 1, packets: Int = 64,
            bytes: ByteCount = ByteCount(65_535), adaptation: RateAdaptation.Options? = nil
        ) {
            self.rates = rates
            self.stations = stations
            self.packets = packets
            self.bytes = bytes
            self.adaptation = adaptation
        }

        package var peak: Bitrate { rates.max() ?? Bitrate(bitsPerSecond: 1) }

        /// The IP bytes that a saturated station sends in the long run: its share of full
        /// aggregates at the middle rate, with a mean backoff and no collision.
        var meanRate: Bitrate {
            let rate = rates[rates.count / 2]
            let (packets, airtime) = WiFi.fullAggregate(self, at: rate)
            let backoff = WiFi.leastWindow / 2 * WiFi.slot
            let cycle = UInt64(stations) * (airtime + WiFi.overhead) + backoff
            return Bitrate(
                bitsPerSecond: max(1, packets * 1_500 * 8_000_000_000 / cycle))
        }
    }

    // MARK: IEEE 802.11-2020

    static let slot: UInt64 = 9_000
    private static let shortSpace: UInt64 = 16_000
    private static let distributedSpace = shortSpace + 2 * slot
    /// The preamble of VHT with one stream: 20 µs of legacy fields, 8 + 4 + 4 + 4 µs.
    private static let preamble: UInt64 = 40_000
    /// 20 µs of preamble and three symbols of 4 µs.
    private static let blockAck: UInt64 = 32_000
    /// aCWmin + 1, and how often it doubles until aCWmax + 1.
    static let leastWindow: UInt64 = 16
    private static let doublings: UInt64 = 6
    /// aPPDUMaxTime, less the preamble.
    private static let longestAggregate: UInt64 = 5_484_000 - preamble
    /// A packet's delimiter of 4 bytes, QoS header of 26, LLC and SNAP of 8, and FCS of 4.
    package static let framing: UInt64 = 42
    /// The time around the packets of an aggregate if nobody else sends, without backoff.
    package static let overhead = distributedSpace + preamble + shortSpace + blockAck

    init(_ options: Options, random: RandomStream) {
        self.options = options
        self.random = random
        adaptation = RateAdaptation(options.adaptation, count: options.rates.count)
        stations = []
        rate = options.peak
        for _ in 0..<options.stations {
            stations.append((self.random.below(Self.leastWindow), 0))
        }
    }

    /// Returns the end of sending a packet that is the next in the queue from a moment on.
    mutating func end(of size: Int, enqueuedAt: UInt64, from moment: UInt64) -> UInt64 {
        let framed = UInt64(size) + Self.framing
        let joins =
            moment <= end && enqueuedAt + Self.preamble <= begin && packets < options.packets
            && bytes + framed <= options.bytes.bytes
            && end + rate.airtime(framed) - begin <= Self.longestAggregate
        if !joins {
            // A block ack ends the aggregate before.
            let idle = end == 0 ? 0 : end + Self.shortSpace + Self.blockAck
            let start = max(moment, idle)
            rate = options.rates[adaptation.index(at: start, &random)]
            begin = contend(from: start) + Self.preamble
            end = begin
            (packets, bytes) = (0, 0)
        }
        packets += 1
        bytes += framed
        end += rate.airtime(framed)
        return end
    }

    /// Forgets packets that were dropped before they were sent.
    mutating func rewind(to now: UInt64) {
        (begin, end) = (min(begin, now), min(end, now))
        packets = options.packets
    }

    /// Returns the moment at which this station has the medium.
    private mutating func contend(from start: UInt64) -> UInt64 {
        let others =
            Self.preamble + Self.fullAggregate(options, at: rate).airtime + Self.shortSpace
            + Self.blockAck
        var now = start
        while true {
            let shortest = stations.map(\.backoff).min() ?? 0
            now += Self.distributedSpace + shortest * Self.slot
            let isOurs = stations[0].backoff == shortest
            let hasCollided = stations.count { $0.backoff == shortest } > 1
            for index in stations.indices {
                guard stations[index].backoff == shortest else {
                    stations[index].backoff -= shortest + 1
                    continue
                }
                let collisions =
                    hasCollided ? min(stations[index].collisions + 1, Self.doublings) : 0
                stations[index] = (random.below(Self.leastWindow << collisions), collisions)
            }
            if isOurs, !hasCollided { return now }
            now += others
        }
    }

    /// Returns how many full packets an aggregate takes, and their time.
    private static func fullAggregate(
        _ options: Options, at rate: Bitrate
    ) -> (packets: UInt64, airtime: UInt64) {
        let framed = 1_500 + framing
        let packets = min(
            UInt64(options.packets), options.bytes.bytes / framed,
            longestAggregate / rate.airtime(framed))
        return (max(packets, 1), max(packets, 1) * rate.airtime(framed))
    }
}

extension Bitrate {
    fileprivate func airtime(_ bytes: UInt64) -> UInt64 {
        timeToSend(ByteCount(bytes)).nanoseconds.magnitude
    }
}
