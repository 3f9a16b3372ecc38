import Protocols
import Quantities

/// A value as a store keeps it.
package enum StoredValue: Hashable, Sendable {
    case none
    case number(Int64)
    case text(String)
}

/// A type whose values fit into a column.
package protocol ColumnValue: Sendable {
    static var isText: Bool { get }
    static var isOptional: Bool { get }

    var stored: StoredValue { get }

    /// `nil` if no value of this type was stored so.
    init?(stored: StoredValue)
}

extension ColumnValue {
    package static var isText: Bool { false }
    package static var isOptional: Bool { false }
}

/// Columns have 64 signed bits; longer unsigned numbers are stored as negative ones.
extension ColumnValue where Self: FixedWidthInteger {
    package var stored: StoredValue { .number(Int64(truncatingIfNeeded: self)) }

    package init?(stored: StoredValue) {
        guard case .number(let number) = stored,
            Self.bitWidth == Int64.bitWidth || Self(exactly: number) != nil
        else { return nil }
        self.init(truncatingIfNeeded: number)
    }
}

extension Int64: ColumnValue {}
extension Int: ColumnValue {}
extension UInt64: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt8: ColumnValue {}

extension Bool: ColumnValue {
    package var stored: StoredValue { .number(self ? 1 : 0) }

    package init?(stored: StoredValue) { self = stored != .number(0) }
}

extension String: ColumnValue {
    package static var isText: Bool { true }
    package var stored: StoredValue { .text(self) }

    package init?(stored: StoredValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    package static var isText: Bool { Wrapped.isText }
    package static var isOptional: Bool { true }
    package var stored: StoredValue { self?.stored ?? StoredValue.none }

    package init?(stored: StoredValue) {
        guard stored != StoredValue.none else {
            self = nil
            return
        }
        guard let value = Wrapped(stored: stored) else { return nil }
        self = value
    }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    package static var isText: Bool { RawValue.isText }
    package var stored: StoredValue { rawValue.stored }

    package init?(stored: StoredValue) {
        guard let value = RawValue(stored: stored) else { return nil }
        self.init(rawValue: value)
    }
}

extension NetworkLimits: ColumnValue {}
extension OverwritePolicy: ColumnValue {}
extension ResumePolicy: ColumnValue {}
extension RatePolicy: ColumnValue {}
extension TransferTransport: ColumnValue {}
extension SessionState: ColumnValue {}
extension EntryState: ColumnValue {}
extension TaskState: ColumnValue {}

extension ByteCount: ColumnValue {
    package var stored: StoredValue { bytes.stored }

    package init?(stored: StoredValue) {
        guard let bytes = UInt64(stored: stored) else { return nil }
        self.init(bytes)
    }
}

extension TimeSpan: ColumnValue {
    package var stored: StoredValue { nanoseconds.stored }

    package init?(stored: StoredValue) {
        guard let nanoseconds = Int64(stored: stored) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

extension HTTPFields: ColumnValue {
    package static var isText: Bool { true }
    package var stored: StoredValue { .text(description) }

    package init?(stored: StoredValue) {
        guard let text = String(stored: stored) else { return nil }
        self.init(text)
    }
}

extension Instant: ColumnValue {
    package var stored: StoredValue { nanoseconds.stored }

    package init?(stored: StoredValue) {
        guard let nanoseconds = UInt64(stored: stored) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
