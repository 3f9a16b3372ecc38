import CPcap

/// Reads a capture file, pcap or pcapng, with stamps in nanoseconds.
package struct CaptureReader: ~Copyable {
    package let link: FrameLink
    private let path: String
    // libpcap's handle: owned here, closed in `deinit`.
    private let handle: OpaquePointer

    package init(path: String) throws(CaptureError) {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard
            let handle = pcap_open_offline_with_tstamp_precision(
                path, UInt32(PCAP_TSTAMP_PRECISION_NANO), &reason)
        else {
            throw CaptureError("\(path) cannot be read: \(Self.text(reason))")
        }
        let number = pcap_datalink(handle)
        guard let link = FrameLink(rawValue: number) else {
            let name = pcap_datalink_val_to_name(number).map { String(cString: $0) } ?? "\(number)"
            pcap_close(handle)
            throw CaptureError(
                "\(path) holds frames of the kind \(name)",
                remedy: "capture on Ethernet or loopback")
        }
        self.path = path
        self.link = link
        self.handle = handle
    }

    deinit { pcap_close(handle) }

    /// Returns the next frame; `nil` after the last.
    package func next() throws(CaptureError) -> CapturedFrame? {
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var bytes: UnsafePointer<UInt8>?
        switch pcap_next_ex(handle, &header, &bytes) {
        case 1: break
        case PCAP_ERROR_BREAK: return nil
        default:
            throw CaptureError("\(path): \(String(cString: pcap_geterr(handle)))")
        }
        guard let header = header?.pointee, let bytes else { return nil }
        return CapturedFrame(header, bytes)
    }

    static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension CapturedFrame {
    /// Copies a frame from libpcap's buffer; its handle has nanosecond precision.
    init(_ header: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>) {
        self.init(
            wallNanoseconds: UInt64(max(header.ts.tv_sec, 0)) * 1_000_000_000
                + UInt64(max(header.ts.tv_usec, 0)),
            bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(header.caplen))),
            originalLength: Int(header.len))
    }
}
