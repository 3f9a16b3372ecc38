package import Checks
package import Quantities
import RunLog

/// The flows with one name, from their first packet to the last.
package struct NamedFlowFigures: Hashable, Sendable, Codable {
    package var name: String
    /// The link that the flows share with others.
    package var link: String
    package var count: Int
    /// When the first flow began, and the last one stopped to write or had sent all.
    package var from: Instant
    package var until: Instant
    /// Stream bytes that were acknowledged, and their mean rate.
    package var acknowledged: ByteCount
    package var goodput: Bitrate?
    /// The part of the bytes that the link delivered meanwhile, headers included, in thousandths.
    package var share: UInt64?
    /// Stream bytes that were sent, and those of them that had been sent before.
    package var sent: ByteCount
    package var sentAgain: ByteCount
    package var roundTrip: TimeSpan?
    package var longestRoundTrip: TimeSpan?
    /// How much longer packets took on the link than on an idle one.
    package var queueing: TimeSpan?
    package var longestQueueing: TimeSpan?
    package var droppedPackets: UInt64
    /// The flows with a length that are over, and how long they took.
    package var completed: Int?
    package var completion: TimeSpan?
    package var longestCompletion: TimeSpan?

    /// Returns the figures of all flows that have sent; `end` is the end of a run that is not in
    /// the log.
    package static func all(in ledger: FlowLedger, until end: Instant) -> [NamedFlowFigures] {
        ledger.accounts.compactMap { NamedFlowFigures($0, in: ledger, until: end) }
    }

    private init?(_ account: FlowAccount, in ledger: FlowLedger, until end: Instant) {
        guard let span = ledger.span(of: account, until: end) else { return nil }
        name = account.name
        link = account.linkName
        count = account.flows.count
        from = span.lowerBound
        until = span.upperBound
        acknowledged = account.acknowledged
        goodput = Bitrate(account.acknowledged, in: span.upperBound - span.lowerBound)
        share = account.share
        sent = account.sent
        sentAgain = account.sentAgain
        roundTrip = account.roundTrips.mean
        longestRoundTrip = roundTrip.map { _ in account.roundTrips.longest }
        queueing = account.queueing.mean
        longestQueueing = queueing.map { _ in account.queueing.longest }
        droppedPackets = account.dropped.packets
        guard account.flows.contains(where: { $0.terms.length != nil }) else { return }
        let times = account.flows.compactMap(\.duration)
        completed = times.count
        longestCompletion = times.max()
        guard !times.isEmpty else { return }
        let sum = times.reduce(TimeSpan.zero, +)
        completion = TimeSpan(nanoseconds: sum.nanoseconds / Int64(times.count))
    }
}
