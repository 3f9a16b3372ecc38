import Foundation
package import TransferClient

/// The keychain of an app: a file that only its user can read, outside of the app's container. The
/// phone's transfer daemon reads it as well.
package struct Keychain {
    private let path: String
    package let wallet = Wallet()
    private var edition = 0

    package init(at path: String) throws(SystemError) {
        self.path = path
        try read()
    }

    /// Reads what another process has written.
    package func read() throws(SystemError) {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        guard let kept = try? JSONDecoder().decode([KeptSecret].self, from: data) else {
            throw SystemError("read the keychain \(path)", code: EILSEQ)
        }
        wallet.restore(kept)
    }

    /// Writes the secrets if they have changed.
    package mutating func write() throws {
        guard wallet.edition != edition else { return }
        let written = wallet.edition
        let new = path + ".new"
        let data = try JSONEncoder().encode(wallet.kept)
        guard
            FileManager.default.createFile(
                atPath: new, contents: data, attributes: [.posixPermissions: 0o600]),
            rename(new, path) == 0
        else { throw SystemError("write the keychain \(path)") }
        edition = written
    }
}
