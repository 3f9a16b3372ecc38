/// Bytes per nanosecond in fixed point with 32 binary places: precise to half a percent at a
/// kilobit per second, and large enough for a terabit.
struct FlowRate: Comparable {
    private var scaled: UInt64

    static let zero = FlowRate(scaled: 0)

    private init(scaled: UInt64) { self.scaled = scaled }

    init(_ bytes: UInt64, in nanoseconds: UInt64) {
        precondition(bytes >> 32 == 0 && nanoseconds > 0, "\(bytes) B in \(nanoseconds) ns")
        scaled = (bytes << 32) / nanoseconds
    }

    static func < (one: FlowRate, other: FlowRate) -> Bool { one.scaled < other.scaled }

    func bytes(in nanoseconds: UInt64) -> UInt64 {
        let product = scaled.multipliedFullWidth(by: nanoseconds)
        return product.high << 32 | product.low >> 32
    }

    /// Returns the time that `bytes` take. The rate must not be zero.
    func time(for bytes: UInt64) -> UInt64 { (bytes << 32) / scaled }

    func multiplied(by factor: UInt64, dividedBy divisor: UInt64) -> FlowRate {
        FlowRate(scaled: scaled * factor / divisor)
    }

    func distance(to other: FlowRate) -> FlowRate {
        FlowRate(scaled: scaled < other.scaled ? other.scaled - scaled : scaled - other.scaled)
    }

    func mean(with other: FlowRate) -> FlowRate {
        FlowRate(scaled: (scaled + other.scaled) / 2)
    }
}
