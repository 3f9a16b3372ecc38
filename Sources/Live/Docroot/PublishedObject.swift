import Content
import DocrootServer
import Quantities

/// Reads a published object back, a slice at a time, and tells whose bytes they are.
///
/// The log then says what readers see, not what the server believes to have written.
final class PublishedObject {
    let upload: UploadID
    private let version: UInt64
    private let replaced: ByteCount
    private let body: OpenFile
    private let versions: [FileVersion]
    private var offset = ByteCount.zero
    private var content: [ContentRange] = []

    /// Whole blocks of recognition, and short enough that the loop's other clients do not wait.
    private static let slice = 256 * 1024

    init(
        _ upload: UploadID, version: UInt64, replaced: ByteCount, reading body: OpenFile,
        versions: [FileVersion]
    ) {
        self.upload = upload
        self.version = version
        self.replaced = replaced
        self.body = body
        self.versions = versions
    }

    /// Reads on; what readers see once the end is reached.
    func advance() throws(SystemError) -> PublishedBody? {
        // Where no file could be recognised, there is nothing to look for.
        if versions.isEmpty { return said([]) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.slice, alignment: 8)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try body.descriptor.read(into: rest, at: offset.bytes + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        let slice = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        for range in DeterministicBytes.recognise(slice, at: offset, among: versions) {
            content.join(range)
        }
        offset += ByteCount(UInt64(filled))
        return filled < buffer.count ? said(content) : nil
    }

    private func said(_ content: [ContentRange]) -> PublishedBody {
        PublishedBody(version: version, content: content, replaced: replaced)
    }
}
