import Content
import DocrootServer
import Quantities

/// Reads a published object back.
///
/// The log then says what readers see, not what the server believes to have written.
final class PublishedObject {
    let upload: UploadID
    private let version: UInt64
    private let replaced: ByteCount
    private let body: OpenFile
    private var reading: ContentReading

    init(
        _ upload: UploadID, version: UInt64, replaced: ByteCount, reading body: OpenFile,
        versions: KnownVersions
    ) {
        self.upload = upload
        self.version = version
        self.replaced = replaced
        self.body = body
        reading = ContentReading(recognising: versions)
    }

    /// Reads on; what readers see once the end is reached.
    func advance() throws(SystemError) -> PublishedBody? {
        try reading.advance(in: body.descriptor) ? nil : said(reading.content)
    }

    private func said(_ content: [ContentRange]) -> PublishedBody {
        PublishedBody(version: version, content: content, replaced: replaced)
    }
}
