import CLinux
import DocrootServer
import Glibc
import Protocols
import Synchronization
import TransferHost

/// The version of an object, and the properties that clients have set.
///
/// Both are extended attributes of the file. They are set on the staged file, take effect by the
/// rename that publishes the content, follow the file when a person moves it, and vanish with it. A
/// table beside the docroot would need a transaction over both. The attribute also holds size and
/// time, so that a file edited by hand is a new version. On a file system without attributes,
/// versions live as long as the server.
final class ObjectAttributes: Sendable {
    private let counter: VersionCounter
    private let withoutAttribute = Mutex<[Identity: UInt64]>([:])

    private static let version = "user.transferlab.version"
    private static let properties = "user.transferlab.properties"

    /// A state of a file. The change time advances even if other times are set back.
    private struct Identity: Hashable {
        var file: ino_t
        var size: off_t
        var changed: Int
        var changedNanoseconds: Int
    }

    init(_ counter: VersionCounter) { self.counter = counter }

    /// Returns the version of a file, which gets one if it has none; throws `numbersSpent` if there
    /// are none to give.
    func version(of file: borrowing Descriptor) throws(SystemError) -> UInt64 {
        let status = try file.status()
        let identity = Self.identity(status)
        if let known = withoutAttribute.withLock({ $0[identity] }) { return known }
        if let text = Self.text(Self.version, of: file) {
            let words = text.split(separator: " ")
            if words.count == 2, let version = UInt64(words[0]), words[1] == Self.mark(status) {
                return version
            }
        }
        return try renew(file)
    }

    /// Waits until there are versions to give.
    func reserveVersions() throws(SystemError) { try counter.reserve() }

    /// Gives a file a new version, or throws `numbersSpent`.
    @discardableResult
    func renew(_ file: borrowing Descriptor) throws(SystemError) -> UInt64 {
        let version = try counter.next()
        let status = try file.status()
        do throws(SystemError) {
            try Self.set(Self.version, "\(version) \(Self.mark(status))", of: file)
        } catch {
            let identity = Self.identity(status)
            withoutAttribute.withLock { $0[identity] = version }
        }
        return version
    }

    /// Renews the version of a file, for threads.
    func renewPatiently(_ file: borrowing Descriptor) throws(SystemError) {
        _ = try patiently { () throws(SystemError) in try renew(file) }
    }

    /// The version of a file, for threads.
    func versionPatiently(of file: borrowing Descriptor) throws(SystemError) -> UInt64 {
        try patiently { () throws(SystemError) in try version(of: file) }
    }

    /// Waits for the disk whenever there are no versions to give.
    private func patiently<Answer>(
        _ body: () throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        while true {
            do throws(SystemError) { return try body() } catch {
                guard error == .numbersSpent else { throw error }
                try reserveVersions()
            }
        }
    }

    static func properties(of file: borrowing Descriptor) -> [StoredProperty] {
        guard let text = text(properties, of: file),
            let root = try? XMLReader.read(Array(text.utf8))
        else { return [] }
        return root.elements.map { StoredProperty(name: $0.name, markup: $0.markup) }
    }

    static func setProperties(
        _ list: [StoredProperty], of file: borrowing Descriptor
    ) throws(SystemError) {
        let markup = "<properties>" + list.map(\.markup).joined() + "</properties>"
        try set(properties, list.isEmpty ? "" : markup, of: file)
    }

    /// Size and modification time, which a rename does not change.
    private static func mark(_ status: stat) -> String {
        "\(status.st_size)/\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(
            file: status.st_ino, size: status.st_size, changed: status.st_ctim.tv_sec,
            changedNanoseconds: status.st_ctim.tv_nsec)
    }

    private static func text(_ name: String, of file: borrowing Descriptor) -> String? {
        let size = fgetxattr(file.number, name, nil, 0)
        guard size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = fgetxattr(file.number, name, &bytes, size)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func set(
        _ name: String, _ text: String, of file: borrowing Descriptor
    ) throws(SystemError) {
        let bytes = Array(text.utf8)
        guard fsetxattr(file.number, name, bytes, bytes.count, 0) == 0 else {
            throw SystemError("keep \(name)")
        }
    }
}
