import DocrootServer
import Foundation
import Live
import Quantities
import Runs
import Scenario

/// `serve`: a docroot for real clients.
enum ServeCommand {
    static let command = Command(
        name: "serve", summary: "serve a folder to real clients: WebDAV and resumable uploads",
        options: [
            .init("--docroot", .folder), "--port", "--listen", "--keep-uploads",
            .init("--users", .file), .init("--replaced-body", .oneOf(["fails", "finishes"])),
            .init("--faults", .file), "--status", .init("--tls", .folder), .init(record, .folder),
            .init(snapLength, .own),
            .init(captureLimit, .own),
        ],
        switches: ["--fast", noCapture],
        help: """
            usage: ./lab serve --docroot DIR [--port N] [--listen ADDRESS] [--users FILE]
                               [--fast] [--keep-uploads HOURS] [--status PORT]
                               [--tls DIR]
                               [--replaced-body fails|finishes] [--faults FILE]
                               [--record DIR [--no-capture] [--snap-length N]
                                             [--capture-limit MB]]

            Serves the objects in DIR until it is ended (Ctrl-C); requests under way are
            finished first, for five seconds at most. Every answer and every publication is
            a line of JSON on the standard output. The first line has the address of the
            server, the second the address of its status page for a browser: transfers,
            switches for faults, recent events.

              /dav/PATH   HTTP and WebDAV: GET with ranges, PUT, DELETE, PROPFIND, COPY,
                          MOVE …
              /tus        resumable uploads by tus 1.0; the object is named by “filename” in
                          Upload-Metadata
              /upload/PATH  POST or PUT, resumable by draft-ietf-httpbis-resumable-upload in
                          the versions 3, 5 and 6 (iOS 17, 18.0, 18.1)
              /api/apps/…/buckets/…/objects/…/body   Kii's resumable transfer
              /once/PATH  POST returns a signed address; PUT uploads to it within 15 minutes
              /paced      opens a session of the paced transport, over UDP at the same port

              --docroot DIR         the folder to serve; the server's own files are in
                                    DIR/.transferlab, which no client can see
              --port N              the port (default: a free port, see the first line)
              --listen ADDRESS      an IPv4 address of this machine (default: 127.0.0.1, so
                                    that only this machine can reach it; 0.0.0.0 lets
                                    everybody in)
              --users FILE          users with passwords or tokens (see below); by default
                                    everybody may do everything
              --replaced-body WHAT  a download whose object is replaced fails or finishes
                                    from the old body (default: fails under /api, finishes
                                    elsewhere)
              --faults FILE         fail on purpose as the file says (Scenarios/README.md);
                                    every fault that takes effect prints a line, too
              --status PORT         the port of the status page, which only this machine can
                                    reach (default: a free port)
              --tls DIR             speak TLS, with certificate.pem and key.pem in DIR; both
                                    are made if it has neither, and clients then have to
                                    trust that certificate (curl --cacert)
              --record DIR          record to DIR, which must be empty or new: the log
                                    (events.jsonl), the packets (capture.pcap) and, when the
                                    server ends, report.html; ./lab report DIR makes it
                                    earlier
              --no-capture          record only the log: packets need root or the right to
                                    capture (see ./lab help live)
              --snap-length N       keep only the first N bytes of each packet (default:
                                    all)
              --capture-limit MB    end the capture at this file size (default: 1000)
              --fast                do not wait for the disk: a power loss may lose
                                    acknowledged bytes
              --keep-uploads HOURS  give up unfinished uploads after this time (default: 24)

            A users file:
              \(UsersFile.example.replacing("\n", with: "\n  "))

            Exit codes: 0 the server was ended, 2 could not run.

            Example: ./lab serve --docroot /srv/objects --port 8080 --record /tmp/recording
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(
            arguments.paths.isEmpty, "serve takes no path; name the folder with --docroot")
        guard let docroot = arguments["--docroot"] else {
            throw arguments.wrong("serve needs --docroot, the folder to serve")
        }
        let identity = arguments["--tls"]
        for folder in [docroot, identity].compactMap(\.self) { try requireFolder(folder) }
        let hours = try arguments.number("--keep-uploads", in: 0...Int64(100_000)) ?? 24
        let settings = ServiceSettings(
            docroot: docroot, address: arguments["--listen"] ?? "127.0.0.1",
            port: try arguments.number("--port", in: 0...UInt16.max) ?? 0,
            isDurable: !arguments.has("--fast"), uploadLifetime: .seconds(hours * 3_600),
            accounts: try arguments["--users"].map(UsersFile.read) ?? [],
            breaksReaders: arguments["--replaced-body"].map { $0 == "fails" },
            faults: try arguments["--faults"].map(FaultScripts.read) ?? FaultScript(),
            statusPort: try arguments.number("--status", in: 0...UInt16.max) ?? 0,
            identityFolder: identity)
        if settings.port != 0, settings.port == settings.statusPort {
            throw UsageError(
                "--port and --status both name \(settings.port)",
                remedy: "give the status page another port, or leave --status out")
        }
        try Serve.run(
            settings, recording: try recording(arguments, docroot: docroot), tell: tell,
            complain: Terminal.tell)
        return .allHeld
    }

    private static func requireFolder(_ path: String) throws(UsageError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else {
            throw UsageError("there is no folder “\(path)”", remedy: "create it, then try again")
        }
    }

    private static func tell(_ line: Data) throws(RunFailure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw RunFailure(
                "the server stopped: it cannot write to the standard output: "
                    + (cause ?? error as NSError).localizedDescription)
        }
    }

    // MARK: The recording

    private static let record = "--record"
    private static let noCapture = "--no-capture"
    private static let snapLength = "--snap-length"
    private static let captureLimit = "--capture-limit"

    private static func recording(
        _ arguments: Arguments, docroot: String
    ) throws -> ServiceRecording? {
        let terms = try captureTerms(arguments)
        guard let path = arguments[record] else {
            for option in [noCapture, snapLength, captureLimit] {
                try arguments.require(
                    !arguments.has(option), "\(option) works only with \(record)")
            }
            return nil
        }
        return try ServiceRecording(
            into: path, beside: docroot, words: arguments.words, script: arguments["--faults"],
            capture: terms)
    }

    private static func captureTerms(
        _ arguments: Arguments
    ) throws(UsageError) -> ServiceRecording.CaptureTerms? {
        if arguments.has(noCapture) {
            for option in [snapLength, captureLimit] {
                try arguments.require(
                    !arguments.has(option), "\(option) and \(noCapture) exclude each other")
            }
            return nil
        }
        var terms = ServiceRecording.CaptureTerms.usual
        let lengths = ServiceRecording.CaptureTerms.snapLengths
        if let length = try arguments.number(snapLength, in: 0...lengths.upperBound) {
            try arguments.require(
                lengths.contains(length),
                "\(snapLength) must be at least \(lengths.lowerBound), for the headers")
            terms.snapLength = length
        }
        if let megabytes = try arguments.number(captureLimit, in: 0...UInt64(UInt32.max)) {
            terms.limit = ByteCount(megabytes * 1_000_000)
        }
        return terms
    }
}
