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
    /// Whether the upload is not published over an existing object.
    var isExclusive = false
    /// How the upload was published, for the answer to a repeated request.
    var publication: Publication?

    struct Publication: Hashable, Sendable {
        /// See `StoredEntry.version`.
        let version: UInt64
        /// Whether it replaced an older body.
        let replaces: Bool
    }

    /// The record as a line on disk.
    package var line: String {
        let numbers = [length.map(\.bytes), expires].map { $0.map { "\($0)" } ?? "-" }
        let words = ["1", "\(id.number)", frontEnd.rawValue] + numbers
        let texts = [object.text, key ?? ""].map(PercentCoding.encode)
        var remarks: [String] = []
        if isExclusive { remarks.append(Self.exclusive) }
        if let publication {
            remarks.append("\(publication.replaces ? Self.replaced : Self.made)")
            remarks.append("\(publication.version)")
        }
        return (words + texts + remarks).joined(separator: " ") + "\n"
    }

    private static let exclusive = "exclusive"
    private static let replaced = "replaced"
    private static let made = "made"

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
        guard words.count >= 7, words[0] == "1", let number = UInt64(words[1]),
            let frontEnd = FrontEnd(rawValue: words[2]),
            words[3] == "-" || UInt64(words[3]) != nil, words[4] == "-" || UInt64(words[4]) != nil,
            let name = try? PercentCoding.decode(words[5]), let object = try? ObjectPath(name),
            let key = try? PercentCoding.decode(words[6])
        else { return nil }
        var remarks = words[7...]
        let isExclusive = remarks.first == Self.exclusive
        if isExclusive { remarks.removeFirst() }
        var publication: Publication?
        if let way = remarks.popFirst() {
            guard way == Self.replaced || way == Self.made,
                let version = remarks.popFirst().flatMap({ UInt64($0) }), remarks.isEmpty
            else { return nil }
            publication = Publication(version: version, replaces: way == Self.replaced)
        }
        self.init(
            id: UploadID(number), frontEnd: frontEnd, object: object,
            length: UInt64(words[3]).map { ByteCount($0) }, expires: UInt64(words[4]),
            key: key.isEmpty ? nil : key, isExclusive: isExclusive, publication: publication)
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
