/// A captured frame: its time, its kept bytes, and its real length.
package struct CapturedFrame: Hashable, Sendable {
    /// Nanoseconds since 1970, on the wall clock of the machine that captured.
    package var wallNanoseconds: UInt64
    package var bytes: [UInt8]
    package var originalLength: Int

    package init(wallNanoseconds: UInt64, bytes: [UInt8], originalLength: Int? = nil) {
        self.wallNanoseconds = wallNanoseconds
        self.bytes = bytes
        self.originalLength = originalLength ?? bytes.count
    }
}

/// The link-layer header of a frame.
package enum FrameLink: Int32, Hashable, Sendable, CaseIterable {
    /// The address family in four bytes, in the order of the machine that captured.
    case null = 0
    case ethernet = 1
    /// No header. Linux uses this number; capture files use another.
    case raw = 12
    /// Linux's common header for captures of all interfaces.
    case cooked = 113
}
