/// One state of one file: the file's number in its plan, and how often it has been edited.
package struct FileVersion: Hashable, Sendable, Codable {
    package var file: UInt32
    package var edit: UInt32

    /// Bytes that no file of the plan holds: found in a live object that somebody else wrote.
    package static let unknown = FileVersion(file: 0, edit: 0)

    /// Files are counted from 1; 0 is *unknown*.
    package init(file: UInt32, edit: UInt32) {
        self.file = file
        self.edit = edit
    }
}

extension FileVersion {
    /// Stands for all of its bytes.
    package var digest: UInt64 { UInt64(file) << 32 | UInt64(edit) }
}

extension FileVersion: CustomStringConvertible {
    package var description: String {
        self == .unknown ? "unknown bytes" : "file \(file) version \(edit + 1)"
    }
}
