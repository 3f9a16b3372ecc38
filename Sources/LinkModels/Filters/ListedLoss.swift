/// Loss of exactly these packets, by their index on the link, counted from 0.
package struct ListedLoss: Sendable {
    private let indices: [UInt64]
    private var next = 0
    private var packet: UInt64 = 0

    package init(_ indices: [UInt64]) { self.indices = indices.sorted() }

    package mutating func accept() -> StageVerdict {
        defer { packet += 1 }
        guard next < indices.count, indices[next] == packet else { return .pass }
        while next < indices.count, indices[next] == packet { next += 1 }
        return .drop(.lost)
    }
}
