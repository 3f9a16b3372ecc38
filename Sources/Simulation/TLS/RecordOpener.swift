import Content
import Quantities

/// Extracts content from arriving records. Content is handed on when its record is complete: before
/// that, nobody can know that it is genuine.
///
///     head ─▶ content ─▶ tail ─▶ head of the next
struct RecordOpener: Sendable {
    private let form: RecordForm
    private var state = State.head([])
    private var type: RecordForm.ContentType?
    private var record: [Segment] = []

    private enum State: Sendable {
        /// Bytes of the head received so far.
        case head([UInt8])
        case content(missing: ByteCount)
        case tail([UInt8])
    }

    init(_ form: RecordForm) { self.form = form }

    mutating func open(_ arrived: [Segment], into content: inout [Segment]) {
        for segment in arrived {
            var rest = segment
            while rest.length > .zero { rest = take(from: rest, into: &content) }
        }
    }

    /// Takes the start of a segment that belongs to the current part of a record; returns the rest.
    private mutating func take(from segment: Segment, into content: inout [Segment]) -> Segment {
        switch state {
        case .head(let known):
            let (bytes, rest) = Self.bytes(of: segment, atMost: form.headSize - known.count)
            let head = known + bytes
            state = .head(head)
            if head.count == form.headSize { begin(head) }
            return rest
        case .content(let missing):
            let (here, rest) = segment.split(at: min(missing, segment.length))
            record.append(here)
            state =
                here.length == missing ? .tail([]) : .content(missing: missing - here.length)
            return rest
        case .tail(let known):
            let (bytes, rest) = Self.bytes(of: segment, atMost: form.tailSize - known.count)
            let tail = known + bytes
            state = .tail(tail)
            if tail.count == form.tailSize { end(tail, into: &content) }
            return rest
        }
    }

    private mutating func begin(_ head: [UInt8]) {
        type = RecordForm.ContentType(rawValue: head[0])
        let length = Int(head[3]) << 8 | Int(head[4])
        let content = length + 5 - form.headSize - form.tailSize
        precondition(content > 0, "a record of \(length) B has no room for content")
        state = .content(missing: ByteCount(UInt64(content)))
    }

    private mutating func end(_ tail: [UInt8], into content: inout [Segment]) {
        if form.hasTypeInTail { type = RecordForm.ContentType(rawValue: tail[0]) }
        if type == .applicationData { content += record }
        record.removeAll(keepingCapacity: true)
        state = .head([])
    }

    /// Splits bytes of a head or tail off a segment. They are real bytes, because both ends are
    /// simulated here.
    private static func bytes(of segment: Segment, atMost count: Int) -> ([UInt8], Segment) {
        let (here, rest) = segment.split(at: min(segment.length, ByteCount(UInt64(count))))
        guard case .bytes(let bytes) = here else {
            preconditionFailure("\(here) where a record's head or tail must stand")
        }
        return (bytes, rest)
    }
}
