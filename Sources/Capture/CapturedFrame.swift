/// A frame as a capture holds it: when it passed, what of it was kept, and how long it really was.
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

/// What stands before the IP header of a frame.
package enum FrameLink: Int32, Hashable, Sendable, CaseIterable {
    /// The address family in four bytes, in the order of the machine that captured.
    case null = 0
    case ethernet = 1
    /// Nothing: the packet alone. The number is Linux's; in files it is another one.
    case raw = 12
    /// What Linux gives of all interfaces at once, whatever each of them puts before a packet.
    case cooked = 113
}
