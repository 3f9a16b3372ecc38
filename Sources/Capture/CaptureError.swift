/// Why a capture cannot be opened, written or read, and the way out if there is one.
package struct CaptureError: Error, Hashable, Sendable {
    package var what: String
    package var remedy: String?

    package init(_ what: String, remedy: String? = nil) {
        self.what = what
        self.remedy = remedy
    }
}

extension CaptureError: CustomStringConvertible {
    package var description: String { remedy.map { "\(what): \($0)" } ?? what }
}
