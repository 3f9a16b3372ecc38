import RunLog

/// What a link has delivered of each other flow that shares it.
struct FlowShares: Sendable {
    private var flows: [UInt16] = []
    private var delivered: [LinkCount.Tally] = []
    /// The place of the flow that was looked up last: several packets of one flow often follow one
    /// another.
    private var latest = 0

    mutating func add(_ flow: UInt16) {
        flows.append(flow)
        delivered.append(LinkCount.Tally())
    }

    /// Returns what was delivered of a flow; `nil` if it was not announced.
    subscript(flow: UInt16) -> LinkCount.Tally? {
        flows.firstIndex(of: flow).map { delivered[$0] }
    }

    mutating func note(_ flow: UInt16, _ size: UInt16) {
        withOpened { $0.note(flow, size) }
    }

    /// Lends the memory, for a thousand packets at once.
    mutating func withOpened<Result>(_ body: (inout Opened) -> Result) -> Result {
        flows.withUnsafeBufferPointer { flows in
            delivered.withUnsafeMutableBufferPointer { delivered in
                var opened = Opened(flows: flows, delivered: delivered, latest: latest)
                defer { latest = opened.latest }
                return body(&opened)
            }
        }
    }

    /// The flows in the same memory, without the ability to grow.
    struct Opened {
        private let flows: UnsafeBufferPointer<UInt16>
        private let delivered: UnsafeMutableBufferPointer<LinkCount.Tally>
        fileprivate var latest: Int

        fileprivate init(
            flows: UnsafeBufferPointer<UInt16>,
            delivered: UnsafeMutableBufferPointer<LinkCount.Tally>, latest: Int
        ) {
            self.flows = flows
            self.delivered = delivered
            self.latest = latest
        }

        static var none: Opened {
            Opened(
                flows: UnsafeBufferPointer(start: nil, count: 0),
                delivered: UnsafeMutableBufferPointer(start: nil, count: 0), latest: 0)
        }

        var isEmpty: Bool {
            @inline(__always) get { flows.isEmpty }
        }

        /// Notes a delivery, if the flow is one of these.
        @inline(__always)
        mutating func note(_ flow: UInt16, _ size: UInt16) {
            guard !isEmpty else { return }
            if flows[latest] != flow {
                guard let place = flows.firstIndex(of: flow) else { return }
                latest = place
            }
            delivered[latest].packets &+= 1
            delivered[latest].bytes &+= UInt64(size)
        }
    }
}
