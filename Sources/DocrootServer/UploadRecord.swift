import Facts
import Protocols
package import Quantities

/// The part of a resumable upload that outlives the server.
package struct UploadRecord: Hashable, Sendable {
    package let id: UploadID
    package let frontEnd: FrontEnd
    package let object: ObjectPath
    /// Unknown until the client has told the end.
    package var length: ByteCount?
    /// The end of the staging area's life, in seconds since 1970.
    package var expires: UInt64?
    /// The client's key for the upload, through all attempts.
    var key: String?

    /// The record as a line on disk.
    package var line: String {
        let numbers = [length.map(\.bytes), expires].map { $0.map { "\($0)" } ?? "-" }
        let words = ["1", "\(id.number)", frontEnd.rawValue] + numbers
        let texts = [object.text, key ?? ""].map(PercentCoding.encode)
        return (words + texts).joined(separator: " ") + "\n"
    }

    /// The URL path under which clients know the upload.
    package var resource: String { "\(frontEnd.resources)/\(id.number)" }

    /// The resource, as the log names it.
    var name: ResourceName { ResourceName(resource) }
}

extension UploadRecord {
    /// Parses a line; `nil` if it is cut off or has another form.
    package init?(line: String) {
        guard line.last == "\n" else { return nil }
        let words = line.dropLast().split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        guard words.count == 7, words[0] == "1", let number = UInt64(words[1]),
            let frontEnd = FrontEnd(rawValue: words[2]),
            words[3] == "-" || UInt64(words[3]) != nil, words[4] == "-" || UInt64(words[4]) != nil,
            let name = try? PercentCoding.decode(words[5]), let object = try? ObjectPath(name),
            let key = try? PercentCoding.decode(words[6])
        else { return nil }
        self.init(
            id: UploadID(number), frontEnd: frontEnd, object: object,
            length: UInt64(words[3]).map { ByteCount($0) }, expires: UInt64(words[4]),
            key: key.isEmpty ? nil : key)
    }
}

/// An upload that an earlier server has left.
package struct RestoredUpload: Hashable, Sendable {
    package var record: UploadRecord
    package var staged: ByteCount
    /// Whether the object was published from the staging area.
    package var isPublished: Bool

    package init(record: UploadRecord, staged: ByteCount, isPublished: Bool) {
        self.record = record
        self.staged = staged
        self.isPublished = isPublished
    }
}
