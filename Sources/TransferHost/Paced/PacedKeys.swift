import COpenSSL
package import Protocols

/// The keys of a session over the paced transport, one for what each side sends.
///
/// Both sides derive them from the value of the `Authorization` field with which the client has
/// asked for the session, and from a nonce of each (RFC 5869 with SHA-256). They never travel. A
/// server without accounts has nothing but the nonces: then only TLS keeps the keys secret.
package struct PacedKeys: Sendable {
    let ofClient: [UInt8]
    let ofServer: [UInt8]

    private static let length = 16
    private static let label = Array("TransferLab paced transport 1".utf8)

    package init(authorization: String, client: PacedNonce, server: PacedNonce) {
        // OpenSSL takes no empty secret.
        let secret = [0] + Array(authorization.utf8)
        let salt = client.bytes + server.bytes
        var keys = [UInt8](repeating: 0, count: 2 * Self.length)
        var length = keys.count
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        defer { EVP_PKEY_CTX_free(context) }
        let isDerived =
            EVP_PKEY_derive_init(context) == 1
            && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1
            && EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1
            && EVP_PKEY_CTX_add1_hkdf_info(context, Self.label, Int32(Self.label.count)) == 1
            && EVP_PKEY_derive(context, &keys, &length) == 1
        precondition(isDerived, "OpenSSL has no HKDF with SHA-256")
        ofClient = Array(keys[..<Self.length])
        ofServer = Array(keys[Self.length...])
    }
}
