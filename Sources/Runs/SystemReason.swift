import Foundation

extension Error {
    /// The system's words for the error: Foundation's are often only a number.
    package var systemReason: String {
        let cause = ((self as? CocoaError)?.underlying ?? self) as NSError
        guard cause.domain == NSPOSIXErrorDomain else { return localizedDescription }
        let reason = String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
        return cause.code == Int(ENOSPC) ? "the disk is full (\(reason))" : reason
    }
}
