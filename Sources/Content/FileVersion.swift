/// One state of one file: the file's number in its plan, and how often it has been edited.
public struct FileVersion: Hashable, Sendable, Codable {
    public var file: UInt32
    public var edit: UInt32

    /// Bytes that no file of the plan holds: found in a live object that somebody else wrote.
    public static let unknown = FileVersion(file: 0, edit: 0)

    /// Files are counted from 1; 0 is *unknown*.
    public init(file: UInt32, edit: UInt32) {
        self.file = file
        self.edit = edit
    }
}

extension FileVersion {
    /// Stands for all of its bytes.
    public var digest: UInt64 { UInt64(file) << 32 | UInt64(edit) }
}

extension FileVersion: CustomStringConvertible {
    public var description: String {
        self == .unknown ? "unknown bytes" : "file \(file) version \(edit + 1)"
    }
}
