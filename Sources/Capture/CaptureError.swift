/// Why a capture cannot be opened, written or read, and the way out if there is one.
package struct CaptureError: Error, Hashable, Sendable {
    package var what: String
    package var remedy: String?

    package init(_ what: String, remedy: String? = nil) {
        self.what = what
        self.remedy = remedy
    }

    static func notPermitted(_ reason: String) -> CaptureError {
        CaptureError(
            "there is no right to capture packets (\(reason))",
            remedy: "run as root, or: sudo setcap cap_net_raw,cap_net_admin=eip "
                + ".build/release/transferlab")
    }
}

extension CaptureError: CustomStringConvertible {
    package var description: String { remedy.map { "\(what): \($0)" } ?? what }
}
