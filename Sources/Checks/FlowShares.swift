import RunLog

/// What a link has delivered of each other flow that shares it.
struct FlowShares: Sendable {
    /// The number of the first flow, and a row for each from there on: flows that share a link are
    /// numbered one after the other.
    private var first: UInt16 = 0
    private var rows: [LinkCount.Tally] = []
    /// Whether the flow of a row was announced.
    private var isAnnounced: [Bool] = []

    mutating func add(_ flow: UInt16) {
        if rows.isEmpty { first = flow }
        if flow < first {
            let more = Int(first - flow)
            rows.insert(contentsOf: Array(repeating: LinkCount.Tally(), count: more), at: 0)
            isAnnounced.insert(contentsOf: Array(repeating: false, count: more), at: 0)
            first = flow
        }
        while rows.count <= Int(flow - first) {
            rows.append(LinkCount.Tally())
            isAnnounced.append(false)
        }
        isAnnounced[Int(flow - first)] = true
    }

    /// Returns what was delivered of a flow; `nil` if it was not announced.
    subscript(flow: UInt16) -> LinkCount.Tally? {
        let place = Int(flow &- first)
        return place < rows.count && isAnnounced[place] ? rows[place] : nil
    }

    mutating func note(_ flow: UInt16, _ size: UInt16) {
        withOpened { $0.note(flow, size) }
    }

    /// Lends the memory, for a thousand packets at once.
    mutating func withOpened<Result>(_ body: (Opened) -> Result) -> Result {
        // Most links have none, and need not touch the array.
        guard !rows.isEmpty else { return body(.none) }
        return rows.withUnsafeMutableBufferPointer { body(Opened(first: first, rows: $0)) }
    }

    /// The flows in the same memory, without the ability to grow.
    struct Opened {
        private let first: UInt16
        private let rows: UnsafeMutableBufferPointer<LinkCount.Tally>

        fileprivate init(first: UInt16, rows: UnsafeMutableBufferPointer<LinkCount.Tally>) {
            self.first = first
            self.rows = rows
        }

        static var none: Opened {
            Opened(first: 0, rows: UnsafeMutableBufferPointer(start: nil, count: 0))
        }

        /// Notes a delivery, if the flow has a row.
        @inline(__always)
        func note(_ flow: UInt16, _ size: UInt16) {
            let place = Int(flow &- first)
            guard place < rows.count else { return }
            rows[place].packets &+= 1
            rows[place].bytes &+= UInt64(size)
        }
    }
}
