import Foundation
import Testing

@Suite struct ServeCommandTests {
    static let mistakes: [(arguments: [String], words: String)] = [
        ([], "--docroot"), (["--docroot", "nowhere"], "there is no folder “nowhere”"),
        (["--docroot", "green.yaml"], "there is no folder"),
        (["--docroot", ".", "--port", "65536"], "from 0 to 65535"),
        (["--docroot", ".", "--port", "-1"], "from 0 to 65535"),
        (["--docroot", ".", "--listen", "a.b"], "for an IPv4 address"),
        (["--docroot", ".", "--listen", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        (["--docroot", ".", "extra"], "name the folder with --docroot"),
        (["--docroot", ".", "--keep-uploads", "x"], "whole number"),
    ]

    @Test(arguments: mistakes) func `what cannot be served is an error with its remedy`(
        arguments: [String], words: String
    ) throws {
        let desk = try Desk()
        let answer = try Program.run(["serve"] + arguments, in: desk.url)
        #expect(answer.code == 2)
        #expect(answer.errors.contains(words), "\(answer.errors)")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `it ends when it is asked to`(signal: Int32) throws {
        let server = try ServedFolder()
        #expect(server.end(by: signal) == 0)
    }

    @Test func `what is under way when it is ended is finished first`() throws {
        let server = try ServedFolder("--fast")
        try server.write(400_000, to: "film")
        let upload = Process()
        upload.executableURL = URL(filePath: "/usr/bin/curl")
        upload.arguments = [
            "-sf", "--limit-rate", "200k", "-T", server.desk.url.appending(path: "film").path,
            server.url + "/dav/film",
        ]
        try upload.run()
        // Its staging file is there as soon as it has begun.
        let workshop = server.docroot.appending(path: ".transferlab")
        while try FileManager.default.contentsOfDirectory(atPath: workshop.path)
            .filter({ Int($0) != nil }).isEmpty
        {
            try #require(upload.isRunning)
        }
        #expect(server.end(by: SIGTERM) == 0)
        upload.waitUntilExit()
        #expect(upload.terminationStatus == 0)
        let film = server.desk.url.appending(path: "film")
        #expect(
            try Data(contentsOf: server.docroot.appending(path: "film")) == Data(contentsOf: film))
    }

    @Test func `links are not followed, and the server's own folder cannot be seen`() throws {
        let server = try ServedFolder("--fast")
        let answer = try server.shell(
            """
            set -e
            mkdir -p outside; echo secret >outside/file
            ln -s ../outside docroot/link; ln -s ../outside/file docroot/filelink
            for path in link/file filelink link .transferlab/versions %2e%2e/outside/file; do
                curl -s -o body -w '%{http_code} ' --path-as-is $url/dav/$path
                ! grep -q secret body
            done
            curl -s -o body -w '%{http_code} ' -T outside/file $url/dav/link/new
            test ! -e outside/new
            curl -s -X PROPFIND -H 'Depth: 1' $url/dav/ >listing
            ! grep -q -e link -e transferlab listing
            """)
        #expect(answer.code == 0, "\(answer.output)")
        #expect(answer.output == "404 403 403 403 403 409 ")
    }

    @Test func `a tag stays the same over a restart, and never comes again`() throws {
        let server = try ServedFolder("--fast")
        let tag = "curl -sfI $url/dav/a | sed -n 's/^ETag: //p'"
        let first = try server.shell(
            "echo 1 >a; "
                + "curl -sf -T a $url/dav/a; \(tag)"
        ).output
        #expect(server.end(by: SIGKILL) == SIGKILL)
        try server.start()
        #expect(try server.shell(tag).output == first)
        let second = try server.shell(
            "curl -sf -X DELETE $url/dav/a; curl -sf -T a $url/dav/a; \(tag)"
        ).output
        #expect(!second.isEmpty && second != first)
        // Somebody has edited the file by hand.
        let third = try server.shell("echo 22 >docroot/a; \(tag)").output
        #expect(!third.isEmpty && third != second && third != first)
    }

    @Test func `two servers do not serve one folder`() throws {
        let server = try ServedFolder("--fast")
        let second = ["serve", "--docroot", server.docroot.path]
        let answer = try Program.run(second, in: server.desk.url)
        #expect(answer.code == 2)
        #expect(answer.errors.contains("another server is serving it"), "\(answer.errors)")
        // Nor does the attempt disturb the first, nor does a killed one stay in the way.
        #expect(try server.shell("echo 1 | curl -sf -T - $url/dav/a").code == 0)
        #expect(server.end(by: SIGKILL) == SIGKILL)
        try server.start()
        #expect(try server.shell("curl -sf $url/dav/a").output == "1\n")
    }

    @Test(arguments: [("--port", "--status"), ("--status", "--port")])
    func `a port that somebody else has is named with its option`(
        option: String, other: String
    ) throws {
        let first = try ServedFolder("--fast")
        let answer = try first.shell(
            "mkdir other; \"$lab\" serve --docroot other \(option) \(first.port)")
        #expect(answer.code == 2 && answer.output.isEmpty)
        #expect(
            answer.errors.contains("\(first.port), ") == (option == "--status"), "\(answer.errors)")
        for words in ["port \(first.port)", "in use", "choose another port with \(option),"] {
            #expect(answer.errors.contains(words), "\(answer.errors)")
        }
        #expect(!answer.errors.contains(other), "\(answer.errors)")
    }

    @Test func `clients and visitors do not come through one port`() throws {
        let desk = try TemporaryFolder()
        let answer = try Program.run(
            ["serve", "--docroot", ".", "--port", "8080", "--status", "8080"], in: desk.url)
        #expect(answer.code == 2)
        #expect(answer.errors.contains("--port and --status both name 8080; give the status page"))
    }

    @Test func `words that cannot be written are an error`() throws {
        let desk = try Desk()
        let answer = try Program.shell(
            "exec \"$lab\" serve --docroot . >/dev/full", in: desk.url)
        #expect(answer.code == 2)
        #expect(answer.errors.contains("No space left on device"), "\(answer.errors)")
    }

    @Test func `more clients than the system has room for wait, and end nothing`() throws {
        let folder = try TemporaryFolder()
        let script = """
            import resource, socket, subprocess, sys, urllib.request
            server = subprocess.Popen(
                [sys.argv[1], 'serve', '--docroot', '.'], stdout=subprocess.PIPE,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60)))
            try:
                line = server.stdout.readline().decode()
                port = int(line.split('"port":')[1].rstrip('}\\n'))
                clients = [socket.create_connection(('127.0.0.1', port)) for _ in range(200)]
                for client in clients: client.close()
                address = f'http://127.0.0.1:{port}/dav/'
                answer = urllib.request.urlopen(
                    urllib.request.Request(address, method='OPTIONS'), timeout=20)
                print(answer.status, end='')
            finally:
                server.kill()
            """
        try Data(script.utf8).write(to: folder.url.appending(path: "many.py"))
        let answer = try Program.shell("python3 many.py \"$lab\"", in: folder.url)
        #expect(answer.output == "200", "\(answer.errors)")
    }
}
