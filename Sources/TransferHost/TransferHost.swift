public import Dispatch
public import Foundation
public import Quantities
import QueueStorage
public import TransferClient
public import TransferEngine

/// A transfer queue that is ready to use: an engine with its store, its files, its connections and
/// its clock, on a thread of its own.
///
///     let host = try TransferHost(container: folder)
///     let id = try await host.queue.enqueue(session)
///     try await host.queue.start()
///
/// Whatever ends the process, the next host for the same folder goes on with what its queue holds;
/// only `start()` has to be called again (A11). A folder has one host at a time.
///
/// Sessions may go over the paced transport, on a UDP socket for each connection.
public final class TransferHost: Sendable {
    /// What an app with a queue programs against. It shows how all sessions stand as soon as there
    /// is a host.
    public let queue: TransferQueue
    /// Uploads without a queue, which end with the process.
    public let operations: UploadOperations
    /// Transfers to and from buckets, which the next host finds suspended.
    public let resumable: ResumableTransfers
    private let door: HostDoor
    private let clock = MachineClock()
    private let running = DispatchGroup()

    /// Opens the store in an app's folder, to which the paths of all files are relative.
    ///
    /// Secrets are kept in the file `keychain`, which only its user can read; without one, the app
    /// gives them anew at each launch. Servers with TLS are trusted by the system's certificates,
    /// and by those in the file `trusted`, in PEM form. Delegates are called on `callbacks`, which
    /// must be serial.
    public init(
        container: String, keychain: String? = nil, trusting trusted: String? = nil,
        callingOn callbacks: DispatchQueue = DispatchQueue(label: "TransferHost")
    ) throws(TransferHostError) {
        let folder = URL(fileURLWithPath: container).standardizedFileURL.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw TransferHostError("there is no folder \(folder): make it first") }
        if let keychain {
            let place = URL(fileURLWithPath: keychain).deletingLastPathComponent().path
            guard FileManager.default.isWritableFile(atPath: place) else {
                throw TransferHostError(
                    "the keychain \(keychain) cannot be written: make the folder \(place), and let "
                        + "this user write to it")
            }
        }
        do {
            let keys = try keychain.map(Keychain.init)
            door = try HostDoor(container: folder, wallet: keys?.wallet ?? Wallet())
            let security = try SecureContext.client(trusting: trusted)
            let loop = try HostLoop(
                door, keys, by: clock, securedBy: security, callingOn: callbacks)
            queue = loop.faces.queue
            operations = loop.faces.operations
            resumable = loop.faces.resumable
            running.enter()
            let thread = Thread { [running] in
                loop.run()
                running.leave()
            }
            thread.name = "TransferHost"
            thread.start()
        } catch let error as SecurityError {
            throw TransferHostError("\(error); name a file of certificates in PEM form")
        } catch let error as StoreError {
            throw TransferHostError(error.message)
        } catch {
            throw TransferHostError("\(error)")
        }
    }

    /// Returns when a moment is by the wall clock as it goes now, such as the end of a session's
    /// pause.
    public func date(of moment: Instant) -> Date {
        let now = clock.now
        let seconds = Double((max(moment, now) - min(moment, now)).nanoseconds) / 1e9
        return Date().addingTimeInterval(moment > now ? seconds : -seconds)
    }

    /// Ends the host, which otherwise lives as long as its process, and returns when the folder is
    /// free for another. Its connections are reset, and what was under way goes on with the next
    /// host. Who waits for an answer, or asks for something later, is refused.
    public func close() {
        door.close()
        running.wait()
    }

    /// Keeps a secret, in the place of an earlier one: the user has signed in.
    public func keep(_ secret: Secret, as handle: CredentialHandle) {
        door.keep(secret, as: handle)
    }

    /// Tells how the device is connected. Without being told, every network counts as allowed.
    public func networkChanged(to status: NetworkStatus) { door.tell(.network(status)) }
}

/// Why there is no host.
public struct TransferHostError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}
