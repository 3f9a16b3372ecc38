import CPcap

/// Writes a capture file with stamps in nanoseconds, which tshark and its like read.
package struct CaptureWriter: ~Copyable {
    // libpcap's handles: owned here, closed in `deinit`.
    private let handle: OpaquePointer
    private let dump: OpaquePointer

    package init(
        path: String, link: FrameLink, snapLength: Int = 262_144
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
    }

    deinit {
        pcap_dump_close(dump)
        pcap_close(handle)
    }

    package func write(_ frame: CapturedFrame) {
        var header = pcap_pkthdr()
        header.ts.tv_sec = Int(frame.wallNanoseconds / 1_000_000_000)
        // The field holds nanoseconds: the precision that the file was opened with.
        header.ts.tv_usec = Int(frame.wallNanoseconds % 1_000_000_000)
        header.caplen = UInt32(frame.bytes.count)
        header.len = UInt32(clamping: frame.originalLength)
        frame.bytes.withUnsafeBufferPointer { bytes in
            pcap_dump(
                UnsafeMutableRawPointer(dump).assumingMemoryBound(to: UInt8.self), &header,
                bytes.baseAddress)
        }
    }

    /// Brings what was written to the file; without it the last frames may still be in memory.
    package func flush() throws(CaptureError) {
        guard pcap_dump_flush(dump) == 0 else {
            throw CaptureError("the capture file cannot be written to its end")
        }
    }
}
