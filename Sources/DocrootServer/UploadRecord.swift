import Protocols
package import Quantities

/// What has to outlive the server of an upload that may be resumed.
package struct UploadRecord: Hashable, Sendable {
    package let id: UploadID
    package let frontEnd: FrontEnd
    package let object: ObjectPath
    /// Unknown until the client says which bytes are the last.
    package var length: ByteCount?
    /// Seconds since 1970; afterwards the staging area is reclaimed.
    package var expires: UInt64?

    /// As it lies on a disk: one line.
    package var line: String {
        let numbers = [length.map(\.bytes), expires].map { $0.map { "\($0)" } ?? "-" }
        let words = ["1", "\(id.number)", frontEnd.rawValue] + numbers
        return (words + [PercentCoding.encode(object.text)]).joined(separator: " ") + "\n"
    }

    /// `nil` where a line was cut off or is not of this form.
    package init?(line: String) {
        guard line.last == "\n" else { return nil }
        let words = line.dropLast().split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        guard words.count == 6, words[0] == "1", let number = UInt64(words[1]),
            let frontEnd = FrontEnd(rawValue: words[2]),
            words[3] == "-" || UInt64(words[3]) != nil, words[4] == "-" || UInt64(words[4]) != nil,
            let name = try? PercentCoding.decode(words[5]), let object = try? ObjectPath(name)
        else { return nil }
        self.init(
            id: UploadID(number), frontEnd: frontEnd, object: object,
            length: UInt64(words[3]).map { ByteCount($0) }, expires: UInt64(words[4]))
    }

    init(
        id: UploadID, frontEnd: FrontEnd, object: ObjectPath, length: ByteCount?, expires: UInt64?
    ) {
        self.id = id
        self.frontEnd = frontEnd
        self.object = object
        self.length = length
        self.expires = expires
    }

    /// The URL path under which clients know the upload.
    package var resource: String { "\(frontEnd.resources)/\(id.number)" }
}

/// An upload that an earlier server has left behind.
package struct RestoredUpload: Hashable, Sendable {
    package var record: UploadRecord
    package var staged: ByteCount
    /// Its object stands, and its staging area has become that object.
    package var isPublished: Bool

    package init(record: UploadRecord, staged: ByteCount, isPublished: Bool) {
        self.record = record
        self.staged = staged
        self.isPublished = isPublished
    }
}
