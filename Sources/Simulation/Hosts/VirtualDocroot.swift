import Content
import DocrootServer
import Quantities

/// The server's disk: staging areas and objects as lists of ranges.
struct VirtualDocroot: Sendable {
    private var staging: [UploadID: [ContentRange]] = [:]
    private var totals: [UploadID: ByteCount] = [:]
    private var objects: [String: [ContentRange]] = [:]

    /// Appends to a staging area and returns how much it holds then.
    mutating func stage(_ upload: UploadID, at offset: ByteCount, _ segments: [Segment])
        -> ByteCount
    {
        let total = totals[upload] ?? .zero
        precondition(offset == total, "an append at \(offset) to a staging area of \(total)")
        for segment in segments {
            switch segment {
            case .content(let range): staging[upload, default: []].join(range)
            case .bytes(let bytes):
                // Real bytes in a body come from no file of the plan.
                staging[upload, default: []].join(
                    ContentRange(
                        .unknown, offset: total, length: ByteCount(UInt64(bytes.count))))
            }
        }
        totals[upload] = total + segments.length
        return total + segments.length
    }

    /// Replaces the object's content in one step and returns what readers see from now on.
    mutating func publish(_ upload: UploadID, as object: String) -> [ContentRange] {
        let content = staging.removeValue(forKey: upload) ?? []
        objects[object] = content
        return content
    }
}
