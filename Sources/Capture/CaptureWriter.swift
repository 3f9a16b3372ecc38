import CPcap
import Glibc

/// Writes a capture file with stamps in nanoseconds, for tshark and similar tools.
package struct CaptureWriter: ~Copyable {
    // libpcap's handles: owned here, closed in `deinit`.
    private let handle: OpaquePointer
    private let dump: OpaquePointer
    private let path: String
    private let snapLength: Int

    /// A snap length longer than any frame.
    package static let wholeFrames = 262_144

    /// Opens a file; only the first `snapLength` bytes of each frame are kept.
    package init(
        path: String, link: FrameLink, snapLength: Int = Self.wholeFrames
    ) throws(CaptureError) {
        guard
            let handle = pcap_open_dead_with_tstamp_precision(
                link.rawValue, Int32(snapLength), UInt32(PCAP_TSTAMP_PRECISION_NANO))
        else { throw CaptureError("no memory for a capture") }
        guard let dump = pcap_dump_open(handle, path) else {
            let reason = String(cString: pcap_geterr(handle))
            pcap_close(handle)
            throw CaptureError("the capture file cannot be written: \(reason)")
        }
        self.handle = handle
        self.dump = dump
        self.path = path
        self.snapLength = snapLength
    }

    deinit {
        pcap_dump_close(dump)
        pcap_close(handle)
    }

    package func write(_ frame: CapturedFrame) {
        frame.bytes.withUnsafeBytes {
            write($0, originalLength: frame.originalLength, atNanoseconds: frame.wallNanoseconds)
        }
    }

    /// Writes at most `snapLength` bytes of a frame.
    package func write(
        _ bytes: UnsafeRawBufferPointer, originalLength: Int, atNanoseconds time: UInt64
    ) {
        var header = pcap_pkthdr()
        header.ts.tv_sec = Int(time / 1_000_000_000)
        // The field holds nanoseconds: the precision that the file was opened with.
        header.ts.tv_usec = Int(time % 1_000_000_000)
        header.caplen = UInt32(min(bytes.count, snapLength))
        header.len = UInt32(clamping: originalLength)
        pcap_dump(
            UnsafeMutableRawPointer(dump).assumingMemoryBound(to: UInt8.self), &header,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// Throws if a write has failed; bytes still in memory are not checked.
    package func check() throws(CaptureError) {
        if ferror(pcap_dump_file(dump)) != 0 { throw failure() }
    }

    /// Writes all frames in memory to the file.
    package func flush() throws(CaptureError) {
        try check()
        guard pcap_dump_flush(dump) == 0 else { throw failure() }
    }

    /// Returns the reason of an earlier failure by writing another byte.
    private func failure() -> CaptureError {
        errno = 0
        fputc(0, pcap_dump_file(dump))
        _ = pcap_dump_flush(dump)
        let reason = errno == 0 ? "" : ": \(String(cString: strerror(errno)))"
        return CaptureError("\(path) could not be written\(reason)")
    }
}
