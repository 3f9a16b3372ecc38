import Content
import Quantities
import RunPlan

/// Layout of application data in records.
struct RecordForm: Sendable {
    /// Size of type, version and length; in TLS 1.2 also of an explicit nonce (RFC 5288 §3).
    let headSize: Int
    /// Size of the authentication tag, 16 bytes; in TLS 1.3 the true type precedes it (RFC 8446
    /// §5.2).
    let tailSize: Int
    let hasTypeInTail: Bool

    /// Limit of content in a record (RFC 8446 §5.1).
    static let largestContent = ByteCount(16_384)

    init(_ security: TransportSecurity) {
        headSize = security.isTLS13 ? 5 : 13
        hasTypeInTail = security.isTLS13
        tailSize = security.isTLS13 ? 17 : 16
    }

    enum ContentType: UInt8 { case alert = 21, applicationData = 23 }
}

/// Packs what an end sends into records of maximum size.
///
/// Content stays symbolic, because encryption would not change its length. Records not yet sent are
/// remembered, so that content can be told from overhead.
struct RecordSealer: Sendable {
    private let form: RecordForm
    /// Bytes of all records so far, and bytes of content in them.
    private var sealedBytes: UInt64 = 0
    private var contentBytes: UInt64 = 0
    private var records: [Record] = []

    private struct Record: Sendable {
        var streamStart: UInt64
        var contentStart: UInt64
        var length: UInt64
    }

    init(_ form: RecordForm) { self.form = form }

    mutating func seal(_ content: [Segment]) -> [Segment] {
        var sealed: [Segment] = []
        var record: [Segment] = []
        var length = ByteCount.zero
        for segment in content {
            var rest = segment
            while rest.length > .zero {
                let count = min(rest.length, RecordForm.largestContent - length)
                let (head, tail) = rest.split(at: count)
                record.append(head)
                length += count
                rest = tail
                guard length == RecordForm.largestContent else { continue }
                close(record, .applicationData, into: &sealed)
                record = []
                length = .zero
            }
        }
        if !record.isEmpty { close(record, .applicationData, into: &sealed) }
        return sealed
    }

    /// Returns the record that announces the end of the stream (RFC 8446 §6.1).
    mutating func sealCloseNotice() -> [Segment] {
        var sealed: [Segment] = []
        close([.bytes([1, 0])], .alert, into: &sealed)
        return sealed
    }

    /// Returns how much content precedes a place in the stream of records.
    func content(before place: UInt64) -> ByteCount {
        guard let record = records.last(where: { $0.streamStart <= place }) else { return .zero }
        let inside = place - record.streamStart
        let head = UInt64(form.headSize)
        return ByteCount(
            record.contentStart + min(record.length, inside > head ? inside - head : 0))
    }

    /// Forgets the records before a place, because nobody will ask for them again.
    mutating func forget(before place: UInt64) {
        let passed = records.prefix { $0.streamStart <= place }.count
        // Rarely, to spread the cost of moving the rest.
        if passed > 64 { records.removeFirst(passed - 1) }
    }

    private mutating func close(
        _ content: [Segment], _ type: RecordForm.ContentType, into sealed: inout [Segment]
    ) {
        let length = content.length.bytes
        var head = WireWriter()
        let visible: RecordForm.ContentType = form.hasTypeInTail ? .applicationData : type
        head.put8(Int(visible.rawValue))
        head.put16(0x0303)
        head.put16(Int(length) + form.headSize - 5 + form.tailSize)
        head.putOpaque(form.headSize - 5)
        var tail = WireWriter()
        if form.hasTypeInTail { tail.put8(Int(type.rawValue)) }
        tail.putOpaque(16)
        sealed.append(.bytes(head.bytes))
        sealed += content
        sealed.append(.bytes(tail.bytes))
        // A close notice is not application content.
        let counted = type == .applicationData ? length : 0
        records.append(
            Record(streamStart: sealedBytes, contentStart: contentBytes, length: counted))
        sealedBytes += length + UInt64(form.headSize + form.tailSize)
        contentBytes += counted
    }
}
