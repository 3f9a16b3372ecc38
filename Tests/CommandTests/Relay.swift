import Foundation

/// Passes on what comes to a port of `::1`, and notes the `Host` fields of the requests. It is gone
/// with this object.
final class Relay {
    private(set) var port = 0
    private let folder: TemporaryFolder
    private let process = Process()

    struct NotListening: Error {}

    static let hasIPv6 =
        FileManager.default.contents(atPath: "/proc/net/if_inet6").map {
            String(decoding: $0, as: UTF8.self).contains("00000000000000000000000000000001")
        } ?? false

    init(to server: Int) throws {
        folder = try TemporaryFolder()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", Self.script, "\(server)", folder.url.appending(path: "hosts").path,
        ]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = Int(line.trimmingCharacters(in: .newlines)) else { throw NotListening() }
        port = number
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The hosts that were asked for, each once.
    func hosts() throws -> Set<String> {
        let text = try String(
            contentsOf: folder.url.appending(path: "hosts"), encoding: .utf8)
        return Set(text.split(separator: "\n").map(String.init))
    }

    private static let script = #"""
        import asyncio, re, sys

        async def pass_on(reader, writer, note):
            while data := await reader.read(65536):
                for host in re.findall(rb'\r\nHost: *([^\r]*)\r', data) if note else []:
                    note.write(host.decode() + '\n')
                    note.flush()
                writer.write(data)
                await writer.drain()
            writer.close()

        async def client(reader, writer):
            there, back = await asyncio.open_connection('127.0.0.1', int(sys.argv[1]))
            await asyncio.gather(
                pass_on(reader, back, notes), pass_on(there, writer, None), return_exceptions=True)

        async def main():
            server = await asyncio.start_server(client, '::1', 0)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        notes = open(sys.argv[2], 'w')
        asyncio.run(main())
        """#
}
