import TransferClient
import TransferEngine
import TransferHost

/// Uploads a file of a folder, whatever ends this process: run it again, and it goes on.
@main struct Uploader {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let port = UInt16(words[3]) else {
            return print("usage: Uploader FOLDER FILE PORT")
        }
        let queue = try TransferHost(container: words[1]).queue
        let events = queue.events()
        if let known = queue.standings.first {
            if known.state == .completed { return print("completed") }
            if known.state == .failed { try await queue.run(known.id) }
        } else {
            let server = Account(host: "127.0.0.1", port: port, credentials: CredentialHandle("me"))
            let path = SessionRequest.File(source: words[2], destination: "in/\(words[2])")
            try await queue.enqueue(SessionRequest(account: server, uploads: [path]))
        }
        try await queue.start()
        for await case .session(_, .didDeactivate(let result)) in events { return print(result) }
    }
}
