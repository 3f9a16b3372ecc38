import CLinux
import Glibc

/// Memory for messages of which the system sends or receives several by one call.
struct MessageSlots: ~Copyable {
    let count: Int
    private let headers: UnsafeMutablePointer<mmsghdr>
    private let parts: UnsafeMutablePointer<iovec>
    private let names: UnsafeMutablePointer<sockaddr_in>
    private let controls: UnsafeMutablePointer<Control>

    /// A control message about the length of the datagrams that a message is made of.
    private struct Control {
        var header = cmsghdr()
        var value: Int32 = 0
        var padding: Int32 = 0
    }

    init(count: Int) {
        self.count = count
        headers = .allocate(capacity: count)
        parts = .allocate(capacity: count)
        names = .allocate(capacity: count)
        controls = .allocate(capacity: count)
        headers.initialize(repeating: mmsghdr(), count: count)
        parts.initialize(repeating: iovec(), count: count)
        names.initialize(repeating: sockaddr_in(), count: count)
        controls.initialize(repeating: Control(), count: count)
    }

    deinit {
        headers.deallocate()
        parts.deallocate()
        names.deallocate()
        controls.deallocate()
    }

    /// Has a message sent from these bytes, in datagrams of `piece` bytes if that is not `nil`.
    func prepare(
        _ slot: Int, _ bytes: UnsafeMutableRawBufferPointer, piece: UInt16?,
        to peer: SocketAddress?
    ) {
        set(slot, bytes)
        if let peer {
            names[slot] = sockaddr_in(peer)
            headers[slot].msg_hdr.msg_name = UnsafeMutableRawPointer(names + slot)
            headers[slot].msg_hdr.msg_namelen = socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        guard let piece else { return }
        let header = MemoryLayout<cmsghdr>.size
        controls[slot].header.cmsg_len = header + MemoryLayout<UInt16>.size
        controls[slot].header.cmsg_level = Int32(IPPROTO_UDP)
        controls[slot].header.cmsg_type = UDP_SEGMENT
        controls[slot].value = Int32(piece)
        headers[slot].msg_hdr.msg_control = UnsafeMutableRawPointer(controls + slot)
        headers[slot].msg_hdr.msg_controllen = MemoryLayout<Control>.size
    }

    /// Has a message received to these bytes.
    func prepareToReceive(_ slot: Int, _ bytes: UnsafeMutableRawBufferPointer) {
        set(slot, bytes)
        headers[slot].msg_hdr.msg_name = UnsafeMutableRawPointer(names + slot)
        headers[slot].msg_hdr.msg_namelen = socklen_t(MemoryLayout<sockaddr_in>.size)
        headers[slot].msg_hdr.msg_control = UnsafeMutableRawPointer(controls + slot)
        headers[slot].msg_hdr.msg_controllen = MemoryLayout<Control>.size
    }

    private func set(_ slot: Int, _ bytes: UnsafeMutableRawBufferPointer) {
        parts[slot] = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        headers[slot] = mmsghdr()
        headers[slot].msg_hdr.msg_iov = parts + slot
        headers[slot].msg_hdr.msg_iovlen = 1
    }

    /// Sends the first messages; returns how many were sent, or -1.
    func send(_ count: Int, by socket: Int32) -> Int {
        Int(
            retryingInterrupted {
                sendmmsg(socket, headers, UInt32(count), Int32(MSG_NOSIGNAL))
            })
    }

    /// Receives messages; returns how many, or -1.
    func receive(from socket: Int32) -> Int {
        Int(retryingInterrupted { recvmmsg(socket, headers, UInt32(count), 0, nil) })
    }

    /// A message that was received: its length, the length of each datagram in it but for the last,
    /// and its sender.
    func received(_ slot: Int) -> (length: Int, piece: Int, from: SocketAddress) {
        let length = Int(headers[slot].msg_len)
        let control = controls[slot]
        let isCut =
            headers[slot].msg_hdr.msg_controllen > 0
            && control.header.cmsg_level == Int32(IPPROTO_UDP)
            && control.header.cmsg_type == UDP_GRO
        return (
            length, isCut ? max(Int(control.value), 1) : max(length, 1),
            SocketAddress(names[slot], isOfDatagrams: true)
        )
    }
}
