import COpenSSL
import Glibc

/// What the TLS of many connections has in common: whom a client trusts, or who a server is.
package final class SecureContext: @unchecked Sendable {
    /// OpenSSL lets threads share it.
    let pointer: OpaquePointer

    private init(_ method: OpaquePointer?) throws(SecurityError) {
        guard let pointer = SSL_CTX_new(method) else { throw SecurityError("begin with TLS") }
        self.pointer = pointer
        _ = openssl_set_minimum_version(pointer, TLS1_2_VERSION)
        // A renegotiation could make a sender wait for the receiver (RFC 5746 §5).
        openssl_refuse_renegotiation(pointer)
    }

    deinit { SSL_CTX_free(pointer) }

    /// For the end that connects: it trusts the certificates of the system, and those of a file in
    /// PEM form.
    package static func client(trusting file: String? = nil) throws(SecurityError) -> SecureContext
    {
        let context = try SecureContext(TLS_client_method())
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        _ = SSL_CTX_set_default_verify_paths(context.pointer)
        if let file, SSL_CTX_load_verify_locations(context.pointer, file, nil) != 1 {
            throw SecurityError("read the certificates to trust in \(file)")
        }
        return context
    }

    /// For the end that is connected to.
    package static func server(
        as identity: ServerIdentity
    ) throws(SecurityError) -> SecureContext {
        let context = try SecureContext(TLS_server_method())
        guard SSL_CTX_use_certificate_chain_file(context.pointer, identity.certificate) == 1 else {
            throw SecurityError("read the certificate in \(identity.certificate)")
        }
        guard SSL_CTX_use_PrivateKey_file(context.pointer, identity.key, SSL_FILETYPE_PEM) == 1
        else { throw SecurityError("use the key in \(identity.key) with the certificate") }
        return context
    }

    /// Speaks only TLS 1.2, or only TLS 1.3.
    package func only(_ version: TLSVersion) {
        _ = openssl_set_minimum_version(pointer, version.number)
        _ = openssl_set_maximum_version(pointer, version.number)
    }
}

package enum TLSVersion: Hashable, Sendable {
    case tls12, tls13

    fileprivate var number: Int32 { self == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION }
}

/// Why TLS cannot be used: what was to be done, and OpenSSL's words.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// With OpenSSL's reason.
    init(_ action: String) {
        let code = ERR_get_error()
        ERR_clear_error()
        let words = ERR_reason_error_string(code).map { String(cString: $0) }
        description =
            "cannot \(action): \(words ?? String(cString: strerror(ERR_GET_REASON(code))))"
    }

    /// With the reason of a system call.
    init(_ action: String, _ code: Int32) {
        description = "cannot \(action): \(String(cString: strerror(code)))"
    }
}
