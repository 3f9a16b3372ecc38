import Quantities

/// A digest of all records of a store, in any order: the sum of a mark for each record.
///
/// It follows the changes on their way in, and is computed again from the rows on their way out. If
/// the two differ, something was lost or torn (S7). Stores keep the marks, so changing a mark means
/// changing the version of the schema.
package struct StoreContentDigest: Hashable, Sendable {
    /// 0 for an empty store.
    package private(set) var value: UInt64 = 0

    package init() {}

    package init(of records: some Sequence<some StoredRecord>) { add(records) }

    package init(of tasks: some Sequence<TaskRecord>, delays: some Sequence<BackgroundDelay>) {
        add(tasks)
        for delay in delays { replace(mark: nil, with: Self.mark(of: delay)) }
    }

    package mutating func add(_ records: some Sequence<some StoredRecord>) {
        for record in records { replace(mark: nil, with: Self.mark(of: record)) }
    }

    package mutating func replace(mark old: UInt64?, with new: UInt64?) {
        value = value &- (old ?? 0) &+ (new ?? 0)
    }

    package static func mark(of record: some StoredRecord) -> UInt64 {
        var mixer = MarkMixer()
        record.mark(with: &mixer)
        return mixer.value
    }

    /// The mark of an app's delay; `nil` for the first one.
    package static func mark(of delay: BackgroundDelay) -> UInt64? {
        guard delay.time != BackgroundDelay.first else { return nil }
        var mixer = MarkMixer()
        mixer.add("delay", UInt64(delay.app))
        mixer.add(delay.time.nanoseconds.magnitude)
        return mixer.value
    }
}

/// Mixes the fields of a record. Not cryptographic: it must notice a change, not an attacker.
package struct MarkMixer {
    private(set) var value: UInt64 = 0x6a09_e667_f3bc_c908

    mutating func add(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        value = product.low ^ product.high &+ 0xbb67_ae85_84ca_a73b
    }

    /// Adds a field after its name, which tells it from other fields.
    mutating func add(_ name: String, _ word: UInt64) {
        add(name)
        add(word)
    }

    /// Adds text with its length, so that "a" + "bc" and "ab" + "c" differ.
    mutating func add(_ text: String) {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 { add(word) }
        }
        add(word)
        add(count)
    }

    mutating func add(_ stored: StoredValue) {
        switch stored {
        case .none: break
        case .number(let number): add(UInt64(bitPattern: number))
        case .text(let text): add(text)
        }
    }
}
