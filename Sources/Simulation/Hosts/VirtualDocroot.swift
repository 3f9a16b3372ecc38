import Content
import DocrootServer
import Quantities

/// The server's disk: staging areas as lists of ranges.
struct VirtualDocroot: Sendable {
    private var staging: [UploadID: Staged] = [:]

    private struct Staged: Sendable {
        var ranges: [ContentRange] = []
        var total = ByteCount.zero

        mutating func append(_ segments: [Segment], at offset: ByteCount) -> ByteCount {
            precondition(offset == total, "an append at \(offset) to staging of \(total)")
            for segment in segments {
                switch segment {
                case .content(let range): ranges.join(range)
                case .bytes:
                    // Real bytes in a body come from no file of the plan.
                    ranges.join(ContentRange(.unknown, offset: total, length: segment.length))
                }
                total += segment.length
            }
            return total
        }
    }

    /// Appends to a staging area and returns how much it holds then.
    mutating func stage(
        _ upload: UploadID, at offset: ByteCount, _ segments: [Segment]
    ) -> ByteCount {
        staging[upload, default: Staged()].append(segments, at: offset)
    }

    /// Takes a staging area away in one step and returns what readers see from now on.
    mutating func publish(_ upload: UploadID) -> [ContentRange] {
        staging.removeValue(forKey: upload)?.ranges ?? []
    }
}
