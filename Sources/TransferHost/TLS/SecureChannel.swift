import CLinux
import COpenSSL
import Glibc
import TransferEngine

/// TLS on one connection.
///
/// OpenSSL works in memory, and the channel moves its bytes: nothing blocks, no signal comes, and
/// content that OpenSSL has taken need not be offered again.
final class SecureChannel {
    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// Belongs to the stream, which outlives the channel.
    private let socket: Int32
    /// Records that the socket has not taken.
    private var unsent: ArraySlice<UInt8> = []
    private(set) var hasBegun = false
    /// Whether the peer is to hear of a reset, and of no end.
    private var isReset = false

    enum Handshake: Hashable {
        case done, underWay
        case failed(Disconnection)
    }

    /// How much content is encrypted before the socket is asked to take it.
    private static let slice = 64 * 1024

    /// For the end that connects, with the name under which it knows the server; `nil` for the
    /// other end.
    init(_ context: SecureContext, on socket: Int32, to host: String?) {
        guard let session = SSL_new(context.pointer), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { preconditionFailure("no memory for TLS") }
        (self.session, self.incoming, self.outgoing) = (session, incoming, outgoing)
        self.socket = socket
        SSL_set_bio(session, incoming, outgoing)
        guard let host else {
            SSL_set_accept_state(session)
            return
        }
        SSL_set_connect_state(session)
        if InternetAddress(host, port: 0) != nil {
            // No certificate has the zone of an address (RFC 4007 §11.2).
            let address = String(host.prefix { $0 != "%" })
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), address)
        } else {
            // An address is no server name (RFC 6066 §3).
            _ = openssl_set_server_name(session, host)
            SSL_set1_host(session, host)
        }
    }

    deinit { SSL_free(session) }

    var hasUnsent: Bool { !unsent.isEmpty }
    var unsentCount: Int { unsent.count }

    /// Goes on with the handshake of an end that connects.
    func shakeHands() -> Handshake {
        hasBegun = true
        let arrived = fill(atMost: Self.slice)
        let result = SSL_do_handshake(session)
        let problem = SSL_get_error(session, result)
        // An alert says why this end gives up.
        if case .broken(let why) = flush() { return .failed(why) }
        if result == 1 { return .done }
        ERR_clear_error()
        guard problem == SSL_ERROR_WANT_READ else {
            let isTrusted = SSL_get_verify_result(session) == Int(X509_V_OK)
            return .failed(isTrusted ? .reset : .untrusted)
        }
        switch arrived {
        case .bytes, .nothing: return .underWay
        case .end: return .failed(.closedByPeer)
        case .broken(let why): return .failed(why)
        }
    }

    /// Receives all content that has come in so many bytes.
    func receive(atMost limit: Int) -> TCPStream.Received {
        let arrived = fill(atMost: limit)
        var problem = SSL_ERROR_NONE
        // All content has room: records are longer, but for one of which OpenSSL has a part.
        let room = Int(BIO_ctrl_pending(incoming)) + Int(SSL3_RT_MAX_PLAIN_LENGTH) + 1
        let content = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            while problem == SSL_ERROR_NONE {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
                let last = SSL_read(session, rest.baseAddress, Int32(rest.count))
                count += Int(max(last, 0))
                problem = SSL_get_error(session, last)
            }
        }
        ERR_clear_error()
        // The answers of a handshake, or an alert.
        let flushed = flush()
        if !content.isEmpty { return .bytes(content) }
        if case .broken(let why) = flushed { return .broken(why) }
        switch (problem, arrived) {
        case (SSL_ERROR_ZERO_RETURN, _): return .end
        case (SSL_ERROR_WANT_READ, .bytes), (SSL_ERROR_WANT_READ, .nothing): return .nothing
        // Whoever ends without saying so may not have been at the end.
        case (SSL_ERROR_WANT_READ, .end): return .broken(.reset)
        case (SSL_ERROR_WANT_READ, .broken(let why)): return .broken(why)
        default: return .broken(.reset)
        }
    }

    /// Encrypts and sends content while the socket has room.
    func send(_ content: UnsafeRawBufferPointer) -> TCPStream.Sent {
        var taken = 0
        repeat {
            if case .broken(let why) = flush() { return .broken(why) }
            guard unsent.isEmpty, taken < content.count else { break }
            let rest = UnsafeRawBufferPointer(rebasing: content[taken...].prefix(Self.slice))
            let count = SSL_write(session, rest.baseAddress, Int32(rest.count))
            guard count > 0 else {
                let problem = SSL_get_error(session, count)
                ERR_clear_error()
                // Keys come first.
                if problem == SSL_ERROR_WANT_READ { break }
                return .broken(.reset)
            }
            taken += Int(count)
        } while true
        return taken > 0 || content.isEmpty ? .taken(taken) : .full
    }

    /// Sends what waits, as far as there is room.
    @discardableResult
    func flush() -> TCPStream.Sent {
        let waiting = Int(BIO_ctrl_pending(outgoing))
        if waiting > 0 {
            let records = [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
                count = Int(max(BIO_read(outgoing, buffer.baseAddress, Int32(waiting)), 0))
            }
            if unsent.isEmpty { unsent = records[...] } else { unsent += records }
        }
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { rest in
                retryingInterrupted {
                    Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                }
            }
            guard count >= 0 else {
                return errno == EAGAIN ? .full : .broken(TCPStream.disconnection(errno))
            }
            unsent = unsent.dropFirst(count)
        }
        return .taken(0)
    }

    /// Tells the peer that nothing more is to come. Some of that may wait for room.
    func end() {
        guard !isReset, SSL_in_init(session) == 0 else { return }
        if SSL_get_shutdown(session) & SSL_SENT_SHUTDOWN == 0 { SSL_shutdown(session) }
        ERR_clear_error()
        flush()
    }

    /// Says nothing more: a notice of the end before a reset would make it one.
    func reset() { isReset = true }

    /// Takes records from the socket.
    private func fill(atMost limit: Int) -> TCPStream.Received {
        let received = TCPStream.receive(from: socket, atMost: limit)
        if case .bytes(let bytes) = received {
            BIO_write(incoming, bytes, Int32(bytes.count))
        }
        return received
    }
}
