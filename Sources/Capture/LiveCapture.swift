import CPcap
import Glibc

/// Watches a TCP port of an interface; never blocks.
package struct LiveCapture: ~Copyable {
    package let link: FrameLink
    /// A descriptor that is readable when frames are waiting.
    package let descriptor: Int32
    // libpcap's handle: owned here, closed in `deinit`.
    private let handle: OpaquePointer

    package struct Options: Hashable, Sendable {
        package var interface = "lo"
        package var port: UInt16
        /// The bytes kept of each frame: enough for the headers of TCP and HTTP.
        package var snapLength = 512
        package var bufferSize = 32 << 20

        package init(port: UInt16) { self.port = port }
    }

    package struct Count: Hashable, Sendable {
        package var received: UInt32
        /// The number of frames that the capture has missed.
        package var dropped: UInt32
    }

    package init(_ options: Options) throws(CaptureError) {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = pcap_create(options.interface, &reason) else {
            throw CaptureError("no capture on \(options.interface): \(CaptureReader.text(reason))")
        }
        let link: FrameLink
        let descriptor: Int32
        do throws(CaptureError) {
            (link, descriptor) = try Self.activate(handle, options)
        } catch {
            pcap_close(handle)
            throw error
        }
        self.handle = handle
        self.link = link
        self.descriptor = descriptor
    }

    deinit { pcap_close(handle) }

    /// Returns waiting frames, at most `limit`; fewer frames mean that no more are waiting.
    package func take(atMost limit: Int) throws(CaptureError) -> [CapturedFrame] {
        var frames: [CapturedFrame] = []
        while frames.count < limit {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var bytes: UnsafePointer<UInt8>?
            let result = pcap_next_ex(handle, &header, &bytes)
            if result == 0 { break }
            guard result == 1, let header = header?.pointee, let bytes else {
                throw CaptureError("the capture broke off: \(String(cString: pcap_geterr(handle)))")
            }
            frames.append(CapturedFrame(header, bytes))
        }
        return frames
    }

    package var count: Count {
        var statistics = pcap_stat()
        guard pcap_stats(handle, &statistics) == 0 else { return Count(received: 0, dropped: 0) }
        return Count(
            received: statistics.ps_recv, dropped: statistics.ps_drop &+ statistics.ps_ifdrop)
    }

    private static func activate(
        _ handle: OpaquePointer, _ options: Options
    ) throws(CaptureError) -> (FrameLink, descriptor: Int32) {
        pcap_set_snaplen(handle, Int32(options.snapLength))
        pcap_set_immediate_mode(handle, 1)
        pcap_set_buffer_size(handle, Int32(options.bufferSize))
        pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
        let result = pcap_activate(handle)
        if result == PCAP_ERROR_PERM_DENIED || result == PCAP_ERROR_PROMISC_PERM_DENIED {
            let reason = String(cString: pcap_statustostr(result))
            throw CaptureError(
                "there is no right to capture packets (\(reason))",
                remedy: "run as root, or: sudo setcap cap_net_raw,cap_net_admin=eip "
                    + ".build/release/transferlab")
        }
        guard result >= 0 else {
            throw CaptureError(
                "no capture on \(options.interface): \(String(cString: pcap_statustostr(result)))")
        }
        guard pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO else {
            throw CaptureError("\(options.interface) gives no stamps in nanoseconds")
        }
        guard let link = FrameLink(rawValue: pcap_datalink(handle)) else {
            throw CaptureError("\(options.interface) has frames of a kind that is not read here")
        }
        try filter(handle, options)
        let descriptor = pcap_get_selectable_fd(handle)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw CaptureError("\(options.interface) cannot be waited for")
        }
        return (link, descriptor)
    }

    private static func filter(
        _ handle: OpaquePointer, _ options: Options
    ) throws(CaptureError) {
        var program = bpf_program()
        guard
            pcap_compile(handle, &program, "tcp port \(options.port)", 1, PCAP_NETMASK_UNKNOWN)
                == 0
        else { throw CaptureError("the filter is wrong: \(String(cString: pcap_geterr(handle)))") }
        defer { pcap_freecode(&program) }
        guard pcap_setfilter(handle, &program) == 0, pcap_setnonblock(handle, 1, nil) == 0 else {
            throw CaptureError(
                "no filter on \(options.interface): \(String(cString: pcap_geterr(handle)))")
        }
    }
}
