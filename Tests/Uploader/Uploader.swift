import TransferClient
import TransferEngine
import TransferHost

/// Uploads a file of a folder, whatever ends this process: run it again, and it goes on.
@main struct Uploader {
    static func main() async throws {
        let (folder, file) = (CommandLine.arguments[1], CommandLine.arguments[2])
        let server = Account(
            host: "127.0.0.1", port: UInt16(CommandLine.arguments[3]) ?? 0,
            credentials: CredentialHandle("mine"))
        let queue = try TransferHost(container: folder).queue
        let events = queue.events()
        if queue.standings.isEmpty {
            let path = SessionRequest.File(source: file, destination: "in/\(file)")
            try await queue.enqueue(SessionRequest(account: server, uploads: [path]))
        }
        try await queue.start()
        if queue.standings.contains(where: { $0.state == .completed }) { return print("completed") }
        for await case .session(_, .didDeactivate(let result)) in events {
            return print(result)
        }
    }
}
