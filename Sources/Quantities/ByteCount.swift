/// A number of bytes, as a size or as an offset into something.
///
/// `package` alone would keep its arithmetic from being inlined where packets are counted.
public struct ByteCount: Hashable, Sendable {
    public let bytes: UInt64

    @inlinable public static var zero: ByteCount { ByteCount(0) }

    @inlinable public init(_ bytes: UInt64) { self.bytes = bytes }
}

extension ByteCount: Comparable {
    @inlinable public static func == (left: Self, right: Self) -> Bool {
        left.bytes == right.bytes
    }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
    @inlinable public static func + (left: Self, right: Self) -> Self {
        Self(left.bytes + right.bytes)
    }
    @inlinable public static func - (left: Self, right: Self) -> Self {
        Self(left.bytes - right.bytes)
    }
    @inlinable public static func += (left: inout Self, right: Self) { left = left + right }
}

extension ByteCount: CustomStringConvertible {
    /// Decimal units, as in scenario files: `80 MB`, `1.5 GB`, `512 B`.
    public var description: String {
        let units: [(UInt64, String)] = [
            (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"),
        ]
        for (unit, name) in units where bytes >= unit {
            return decimal(bytes, per: unit, places: 3) + " " + name
        }
        return "\(bytes) B"
    }
}

extension ByteCount: Codable {
    public init(from decoder: any Decoder) throws { bytes = try UInt64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try bytes.encode(to: encoder) }
}
