package import Quantities

/// A change of a local file that the uploading app is not told of.
package struct FileChange: Hashable, Sendable {
    package var path: String
    package var kind: Kind

    package enum Kind: Hashable, Sendable {
        /// Other bytes, as many as before.
        case edited
        /// Other bytes with the old date, so that attributes do not show the change.
        case editedUnseen
        /// Other bytes with the old date, so that samples of the content do not show it either.
        case editedBetweenSamples
        /// Another file of this size; the old file need not exist.
        case replaced(by: ByteCount)
        case truncated(to: ByteCount)
        case grown(by: ByteCount)
        case deleted
        /// A new date on the same bytes.
        case touched
    }

    package init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// `video.mov is edited`.
    package var sentence: String {
        switch kind {
        case .edited: "\(path) is edited"
        case .editedUnseen: "\(path) is edited, and its date put back"
        case .editedBetweenSamples:
            "\(path) is edited between the samples of its content, and its date put back"
        case .replaced(let size): "\(path) is replaced by a file of \(size)"
        case .truncated(let size): "\(path) is truncated to \(size)"
        case .grown(let size): "\(path) grows by \(size)"
        case .deleted: "\(path) is deleted"
        case .touched: "\(path) is touched, without a change"
        }
    }

    /// Whether the file has other bytes afterwards.
    package var makesVersion: Bool {
        switch kind {
        case .edited, .editedUnseen, .editedBetweenSamples, .replaced, .truncated, .grown: true
        case .deleted, .touched: false
        }
    }

    package var keepsDate: Bool {
        switch kind {
        case .editedUnseen, .editedBetweenSamples: true
        case .edited, .replaced, .truncated, .grown, .deleted, .touched: false
        }
    }
}
