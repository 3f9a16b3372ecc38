import COpenSSL
import Glibc

/// The certificate of a server, and its key: two files in PEM form. Whoever trusts the first file
/// knows the server.
package struct ServerIdentity: Hashable, Sendable {
    package let certificate: String
    package let key: String

    /// The files in a folder.
    package init(in folder: String) {
        certificate = folder + "/certificate.pem"
        key = folder + "/key.pem"
    }

    /// Whether there is either file.
    package var exists: Bool { access(certificate, F_OK) == 0 || access(key, F_OK) == 0 }

    /// Makes both files, for a server of these addresses and names, which signs for itself.
    package func make(
        for addresses: [String], names: [String], days: Int = 365
    ) throws(SecurityError) {
        guard let pair = openssl_new_key(), let paper = X509_new() else {
            throw SecurityError("make a key")
        }
        defer {
            EVP_PKEY_free(pair)
            X509_free(paper)
        }
        X509_set_version(paper, 2)
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(paper), UInt64.random(in: 1...1 << 62))
        X509_gmtime_adj(X509_getm_notBefore(paper), -3600)
        X509_gmtime_adj(X509_getm_notAfter(paper), days * 86_400)
        X509_set_pubkey(paper, pair)
        let subject = X509_get_subject_name(paper)
        X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_ASC, Array("TransferLab server".utf8), -1, -1, 0)
        X509_set_issuer_name(paper, subject)
        let holders = addresses.map { "IP:\($0)" } + names.map { "DNS:\($0)" }
        let extensions = [
            (NID_subject_alt_name, holders.joined(separator: ",")),
            (NID_basic_constraints, "critical,CA:TRUE"),
            // iOS and macOS ask for this use by name.
            (NID_ext_key_usage, "serverAuth"),
        ]
        for (kind, text) in extensions {
            guard let entry = X509V3_EXT_conf_nid(nil, nil, kind, text) else {
                throw SecurityError("name \(text) in a certificate")
            }
            X509_add_ext(paper, entry, -1)
            X509_EXTENSION_free(entry)
        }
        guard X509_sign(paper, pair, EVP_sha256()) > 0 else {
            throw SecurityError("sign a certificate")
        }
        try write(key, readableBy: 0o600) { PEM_write_PrivateKey($0, pair, nil, nil, 0, nil, nil) }
        try write(certificate, readableBy: 0o644) { PEM_write_X509($0, paper) }
    }

    private func write(
        _ path: String, readableBy mode: mode_t, _ text: (UnsafeMutablePointer<FILE>) -> Int32
    ) throws(SecurityError) {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard number >= 0, let file = fdopen(number, "w") else {
            throw SecurityError("write \(path)", errno)
        }
        let isWritten = text(file) == 1
        guard fclose(file) == 0, isWritten else { throw SecurityError("write \(path)", errno) }
    }
}
