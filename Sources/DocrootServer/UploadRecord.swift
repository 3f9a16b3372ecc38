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
    /// By which its client names it, whatever it is tried by.
    var key: String?

    /// As it lies on a disk: one line.
    package var line: String {
        let numbers = [length.map(\.bytes), expires].map { $0.map { "\($0)" } ?? "-" }
        let words = ["1", "\(id.number)", frontEnd.rawValue] + numbers
        let texts = [object.text, key ?? ""].map(PercentCoding.encode)
        return (words + texts).joined(separator: " ") + "\n"
    }

    /// `nil` where a line was cut off or is not of this form.
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
            length: UInt64(words[3]).map { ByteCount($0) }, expires: UInt64(words[4]))
        self.key = key.isEmpty ? nil : key
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
