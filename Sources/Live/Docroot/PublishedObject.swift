import DocrootServer
import Quantities
import TransferHost

/// A published object that is read back, so that the log says what readers see.
struct PublishedObject {
    let upload: UploadID
    let version: UInt64
    let replaced: ByteCount
    let body: OpenFile
    var reading: ContentReading

    /// Reads on. Returns the object as readers see it once its end is reached.
    mutating func advance() throws(SystemError) -> PublishedBody? {
        if try reading.advance(in: body.descriptor) { return nil }
        return PublishedBody(version: version, content: reading.content, replaced: replaced)
    }
}
