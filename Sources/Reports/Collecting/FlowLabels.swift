import RunLog

/// The names of the TCP flows that a scenario measures, numbered where several have the same.
struct FlowLabels: Sendable {
    private var labels: [UInt16: String] = [:]
    private var counts: [String: Int] = [:]

    /// Reads that a flow shares a link.
    mutating func read(_ terms: SharingTerms) {
        guard let name = terms.named?.name, terms.named?.overhead == nil else { return }
        let number = counts[name, default: 0] + 1
        counts[name] = number
        labels[terms.flow] = number == 1 ? name : "\(name) \(number)"
    }

    /// Returns the label of a flow; `nil` for the run's own connections and for nameless traffic.
    subscript(flow: UInt16) -> String? { labels[flow] }
}
