import Foundation

extension Error {
    /// What the system said: Foundation itself often knows no more than a number.
    package var systemReason: String {
        let cause = ((self as? CocoaError)?.underlying ?? self) as NSError
        guard cause.domain == NSPOSIXErrorDomain else { return localizedDescription }
        let reason = String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
        return cause.code == Int(ENOSPC) ? "the disk is full (\(reason))" : reason
    }
}
