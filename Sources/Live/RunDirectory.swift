import Foundation
import Glibc
import TransferHost

/// The run's own directory: the apps' containers, the server's folders, the orders of each launch.
/// It is deleted with the run.
struct RunDirectory: ~Copyable {
    let path: String

    init() throws(SystemError) { path = try Self.make() }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var server: String { path + "/server" }

    func orders(forLaunch launch: UInt32) -> String { "\(path)/orders-\(launch).json" }

    /// The orders for a start of a phone's transfer daemon; both are counted from 0.
    func orders(forDaemonOf phone: Int, start: Int) -> String {
        "\(path)/orders-of-daemon-\(phone + 1)-\(start + 1).json"
    }

    /// An empty folder for the transfer daemon of a phone, outside of all containers.
    func daemon(ofPhone phone: Int) throws(SystemError) -> String {
        let folder = try made(folder(ofPhone: phone)) + "/daemon"
        guard mkdir(folder, 0o755) == 0 else { throw SystemError("make \(folder)") }
        return folder
    }

    /// An empty container for the app with this number in the plan, counted from 0.
    func container(ofApp app: Int, onPhone phone: Int) throws(SystemError) -> AppContainer {
        try AppContainer(at: made(folder(ofPhone: phone)) + "/container-of-app-\(app + 1)")
    }

    /// The keychain of the app with this number in the plan, counted from 0.
    func keychain(ofApp app: Int) -> String { "\(path)/keychain-of-app-\(app + 1)" }

    /// The disk of a phone.
    func disk(ofPhone phone: Int, capacity: UInt64?) -> SharedDisk.Place {
        SharedDisk.Place(
            notice: "\(path)/disk-of-phone-\(phone + 1)", folder: folder(ofPhone: phone),
            capacity: capacity)
    }

    private func folder(ofPhone phone: Int) -> String { "\(path)/phone-\(phone + 1)" }

    /// Makes a folder unless it exists.
    private func made(_ folder: String) throws(SystemError) -> String {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("make \(folder)")
        }
        return folder
    }

    private static func make() throws(SystemError) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        // The part that mkdtemp fills in.
        let blank = String(repeating: "X", count: 6)
        var template = Array("\(parent)/transferlab-live-\(blank)".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(parent)") }
        let path = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard mkdir(path + "/server", 0o755) == 0 else { throw SystemError("make \(path)/server") }
        return path
    }
}
