import CLinux
package import Content
package import Glibc
package import Quantities
package import TransferEngine

/// One end of a TCP connection, with TLS above it if it is secured. Its calls never block.
package struct TCPStream: ~Copyable {
    package let descriptor: Descriptor
    /// Ends before the descriptor does.
    private let channel: SecureChannel?
    /// The client's address; `nil` if this end has connected.
    package let peer: SocketAddress?
    private let wasRefused: Bool

    package enum Sent: Hashable {
        /// At least one byte was taken.
        case taken(Int)
        case full
        case broken(Disconnection)
    }

    package enum Received: Hashable {
        case bytes([UInt8])
        case nothing
        /// The peer sends no more.
        case end
        case broken(Disconnection)
    }

    /// How far opening is.
    package enum Opening: Hashable {
        case open, underWay
        case failed(Disconnection)
    }

    /// The TLS of a connecting end, and the name by which it knows the server.
    package struct Security {
        let context: SecureContext
        let host: String

        package init(_ context: SecureContext, to host: String) {
            self.context = context
            self.host = host
        }
    }

    /// Begins to connect. The stream becomes writable when that has succeeded or failed. `source`
    /// is one of this machine's own addresses.
    package init(
        connectingTo host: String, port: UInt16, from source: String? = nil,
        receiveBuffer: Int32? = nil, securedBy security: Security? = nil
    ) throws(SystemError) {
        guard let address = InternetAddress(host, port: port) else {
            throw SystemError("take “\(host)” for an address", code: EINVAL)
        }
        try self.init(
            connectingTo: address, from: source, receiveBuffer: receiveBuffer, securedBy: security)
    }

    init(
        connectingTo address: InternetAddress, from source: String? = nil,
        receiveBuffer: Int32? = nil, securedBy security: Security? = nil
    ) throws(SystemError) {
        let socket = try Descriptor.tcpSocket(address.family)
        let number = socket.number
        if let source { try Self.bind(number, to: source) }
        // Set before the handshake, which announces the largest window.
        if let receiveBuffer { socket.set(SO_RCVBUF, to: receiveBuffer) }
        let result = address.withSocketAddress { address, length in
            retryingInterrupted { connect(number, address, length) }
        }
        // On loopback a refusal comes at once, but is reported like a later one.
        let wasRefused = result != 0 && errno == ECONNREFUSED
        guard result == 0 || wasRefused || errno == EINPROGRESS else {
            throw SystemError("connect to \(address)")
        }
        let channel = security.map { SecureChannel($0.context, on: number, to: $0.host) }
        self.init(adopting: socket, from: nil, channel, wasRefused: wasRefused)
    }

    /// The end of a connection that a client has opened.
    package init(
        adopting descriptor: consuming Descriptor, from peer: SocketAddress? = nil,
        securedBy context: SecureContext? = nil
    ) {
        let channel = context.map { SecureChannel($0, on: descriptor.number, to: nil) }
        self.init(adopting: descriptor, from: peer, channel, wasRefused: false)
    }

    private init(
        adopting descriptor: consuming Descriptor, from peer: SocketAddress?,
        _ channel: SecureChannel?, wasRefused: Bool
    ) {
        self.channel = channel
        // Small heads must not be delayed (RFC 9293 §3.7.4).
        descriptor.set(TCP_NODELAY, to: Int32(1), level: Int32(IPPROTO_TCP))
        self.descriptor = descriptor
        self.peer = peer
        self.wasRefused = wasRefused
    }

    static func bind(_ number: Int32, to source: String) throws(SystemError) {
        guard var own = sockaddr_in(ipv4: source, port: 0) else {
            throw SystemError("take “\(source)” for an IPv4 address", code: EINVAL)
        }
        let isBound = own.withSocketAddress { Glibc.bind(number, $0, $1) == 0 }
        guard isBound else { throw SystemError("send from \(source)") }
    }

    /// Its own address.
    package var own: SocketAddress { SocketAddress(of: descriptor) }

    /// The address of the other end; `nil` if there is none yet.
    package var server: InternetAddress? { InternetAddress(ofPeerOf: descriptor) }

    deinit { channel?.end() }

    /// Goes on with opening, once the socket is ready for what it waits for.
    package func open() -> Opening {
        if let connectionError { return .failed(connectionError) }
        return switch channel?.shakeHands() {
        case .done, nil: .open
        case .underWay: .underWay
        case .failed(let why): .failed(why)
        }
    }

    /// Whether TCP has connected, and TLS has begun.
    package var hasBegunTLS: Bool { channel?.hasBegun ?? false }

    /// Whether bytes that were taken wait for room in the socket.
    package var hasUnsent: Bool { channel?.hasUnsent ?? false }

    /// Sends bytes that were taken, as far as there is room.
    package func flush() -> Sent { channel?.flush() ?? .taken(0) }

    /// Once it is writable: why connecting failed, or `nil`.
    var connectionError: Disconnection? {
        if wasRefused { return .refused }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : Self.disconnection(code)
    }

    /// Sends as many bytes as there is room for.
    package func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Sent {
        if let channel { return channel.send(bytes) }
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        let count = retryingInterrupted {
            Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, flags)
        }
        if count >= 0 { return .taken(count) }
        return errno == EAGAIN ? .full : .broken(Self.disconnection(errno))
    }

    /// Sends as much of a file as there is room for; in the kernel, unless it is to be encrypted.
    package func send(_ file: borrowing Descriptor, at offset: UInt64, atMost count: UInt64) -> Sent
    {
        if let channel {
            let limit = Int(min(count, Self.encryptedSlice))
            let bytes = try? file.bytes(atMost: limit, at: offset)
            guard let bytes, !bytes.isEmpty else { return .broken(.reset) }
            return bytes.withUnsafeBytes { channel.send($0) }
        }
        var place = off_t(offset)
        let (socket, source) = (descriptor.number, file.number)
        let (sent, code) = BrokenPipe.hushed {
            retryingInterrupted { sendfile(socket, source, &place, Int(count)) }
        }
        if sent > 0 { return .taken(sent) }
        // A truncated file cannot keep what was announced.
        if sent == 0 { return .broken(.reset) }
        return code == EAGAIN ? .full : .broken(Self.disconnection(code))
    }

    /// How much of a file is read at once.
    private static let encryptedSlice: UInt64 = 256 * 1024

    /// Closing will reset the connection and drop unsent data.
    package func resetWhenClosed() {
        channel?.reset()
        descriptor.set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    package func receive(atMost limit: Int = 64 * 1024) -> Received {
        channel?.receive(atMost: limit) ?? Self.receive(from: descriptor.number, atMost: limit)
    }

    static func receive(from socket: Int32, atMost limit: Int) -> Received {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            result = retryingInterrupted { recv(socket, buffer.baseAddress, limit, 0) }
            count = max(result, 0)
        }
        switch result {
        case 0: return .end
        case 1...: return .bytes(bytes)
        default: return errno == EAGAIN ? .nothing : .broken(Self.disconnection(errno))
        }
    }

    /// Closes one direction: the peer may still answer. To be repeated while something waits.
    package func endSending() {
        channel?.end()
        guard !hasUnsent else { return }
        shutdown(descriptor.number, Int32(SHUT_WR))
    }

    /// Bytes that have not left this machine yet.
    package var unsent: ByteCount {
        var count: Int32 = 0
        guard ioctl(descriptor.number, UInt(SIOCOUTQNSD), &count) == 0 else { return .zero }
        return ByteCount(UInt64(max(count, 0)) + UInt64(channel?.unsentCount ?? 0))
    }

    static func disconnection(_ code: Int32) -> Disconnection {
        switch code {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        default: .reset
        }
    }
}

extension Descriptor {
    package static func tcpSocket(_ family: Int32 = AF_INET) throws(SystemError) -> Descriptor {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = socket(family, Int32(kind), 0)
        guard number >= 0 else { throw SystemError("make a socket") }
        return Descriptor(adopting: number)
    }

    package func set<Value: BitwiseCopyable>(
        _ option: Int32, to value: Value, level: Int32 = SOL_SOCKET
    ) {
        var value = value
        setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

extension Segment {
    /// Its bytes: only simulations have segments without.
    package var bytes: [UInt8] {
        guard case .bytes(let bytes) = self else {
            preconditionFailure("a live connection carries bytes, not \(self)")
        }
        return bytes
    }
}

extension sockaddr_in {
    /// `nil` if the text is not an IPv4 address.
    package init?(ipv4 text: String, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &sin_addr) == 1 else { return nil }
    }

    package mutating func withSocketAddress<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UInt32) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &self) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
