/// A state of a file: the file's number in the plan, and the number of its edits.
public struct FileVersion: Hashable, Sendable, Codable {
    public var file: UInt32
    public var edit: UInt32

    /// The version of bytes that belong to no file of the plan, such as a foreign live object.
    public static let unknown = FileVersion(file: 0, edit: 0)

    /// Files are counted from 1; 0 is *unknown*.
    public init(file: UInt32, edit: UInt32) {
        self.file = file
        self.edit = edit
    }
}

extension FileVersion {
    /// A number that stands for the content.
    public var digest: UInt64 { UInt64(file) << 32 | UInt64(edit) }
}

extension FileVersion: CustomStringConvertible {
    public var description: String {
        self == .unknown ? "unknown bytes" : "file \(file) version \(edit + 1)"
    }
}
