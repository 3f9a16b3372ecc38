import Foundation
import Testing

/// Software that nobody here wrote, against `serve` as a user starts it.
@Suite struct RealClientsTests {
    @Test func `curl uploads, downloads, resumes, and is told where the end is`() throws {
        let server = try ServedFolder()
        try server.write(3_000_000, to: "film")
        let answer = try server.shell(
            """
            set -e
            put() { curl -sf -o out -w '%{http_code} ' "$@"; }
            put -T film $url/dav/film
            put -T film $url/dav/film
            curl -sf -o whole $url/dav/film && cmp film whole
            head -c 1000000 film >part
            curl -sf -C - -o part -w '%{http_code} ' $url/dav/film && cmp film part
            curl -s -o out -w '%{http_code} ' -r 3000000- $url/dav/film
            curl -s -o out -w '%{http_code} ' -H 'If-None-Match: *' -T film $url/dav/film
            cat film | put -T - $url/dav/piped; cmp film docroot/piped
            curl -s -C - -o part -w '%{http_code} ' $url/dav/film && cmp film part
            # What curl makes of a resumed upload to a server that it cannot ask for an offset.
            put -C - -T film $url/dav/again; cmp film docroot/again
            curl -s -C 1000000 -o out -w '%{http_code} ' -T film $url/dav/again
            cmp film docroot/again
            curl -s -o out -w '%{http_code}' --path-as-is $url/dav/../../etc/passwd
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output == "201 204 206 416 412 201 416 201 400 403")
    }

    @Test func `rclone synchronises a tree both ways, and finds it the same`() throws {
        let server = try ServedFolder("--fast")
        try server.write(700_000, to: "tree/a b/ü 1.bin")
        try server.write(0, to: "tree/empty")
        try server.write(5, to: "tree/a b/c/d#?%")
        let answer = try server.shell(
            """
            set -e
            rclone --webdav-url $url/dav sync tree :webdav:tree
            rclone --webdav-url $url/dav check --download tree :webdav:tree
            rm 'tree/empty'; printf changed >'tree/a b/c/d#?%'
            rclone --webdav-url $url/dav sync --ignore-times tree :webdav:tree
            rclone --webdav-url $url/dav sync :webdav:tree back
            diff -r tree back
            """)
        #expect(answer.code == 0, "\(answer.errors)\(answer.output)")
    }

    @Test func `aria2 puts an object together from segments`() throws {
        let server = try ServedFolder("--fast")
        try server.write(9_000_000, to: "film")
        let answer = try server.shell(
            """
            set -e
            curl -sf -T film $url/dav/film
            aria2c -q -x 4 -s 4 -k 1M -o copy $url/dav/film
            cmp film copy
            """)
        #expect(answer.code == 0, "\(answer.errors)\(answer.output)")
    }

    @Test(arguments: ["basic", "copymove", "props", "http"])
    func `litmus finds nothing wrong`(suite: String) throws {
        let server = try ServedFolder("--fast")
        let answer = try server.shell(
            "TESTS=\(suite) litmus -k $url/dav/")
        let summary = answer.lines.last { $0.contains("summary for") } ?? ""
        #expect(summary.contains("`\(suite)'") && summary.contains(" 0 failed"))
        #expect(answer.code == 0, "\(answer.output)")
    }

    @Test func `locks, which it does not have, are not announced`() throws {
        let server = try ServedFolder("--fast")
        let answer = try server.shell(
            """
            curl -sf -X OPTIONS -D - -o out $url/dav/ | tr -d '\r' | sed -n 's/^DAV: //p'
            curl -s -X LOCK -o out -w '%{http_code}' $url/dav/
            """)
        #expect(answer.output == "1\n405")
    }

    @Test func `a thousand clients that never finish their heads stop nobody`() throws {
        let server = try ServedFolder("--fast")
        try server.write(1_000_000, to: "film")
        let answer = try server.shell(
            """
            python3 - $url <<'END'
            import resource, socket, subprocess, sys
            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            address = ('127.0.0.1', int(sys.argv[1].split(':')[-1]))
            slow = [socket.create_connection(address) for _ in range(1000)]
            for one in slow: one.send(b'GET /dav/ HTTP/1.1\\r\\nX: ')
            sys.exit(subprocess.call(
                ['curl', '-sf', '-m', '20', '-T', 'film', sys.argv[1] + '/dav/film']))
            END
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.errors.isEmpty)
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs tuspy"))
    func `tuspy is killed in the middle, and another one goes on by what the first has stored`()
        throws
    {
        let server = try ServedFolder()
        try server.write(3_000_000, to: "film")
        let script = """
            import os, signal, sys
            from tusclient import client
            from tusclient.storage import filestorage
            up = client.TusClient(sys.argv[1] + '/tus').uploader(
                'film', chunk_size=250_000, metadata={'filename': 'in/film'}, store_url=True,
                url_storage=filestorage.FileStorage('urls'))
            print(up.offset, flush=True)
            while up.offset < 3_000_000:
                up.upload_chunk()
                if len(sys.argv) > 2 and up.offset >= 1_000_000:
                    # In the middle of a chunk, whose head the server has had.
                    up.chunk_size = 2_000_000
                    send = __import__('http.client').client.HTTPConnection.send
                    def die(self, data):
                        send(self, data)
                        os.kill(os.getpid(), signal.SIGKILL)
                    __import__('http.client').client.HTTPConnection.send = die
            """
        try Data(script.utf8).write(to: server.desk.url.appending(path: "upload.py"))
        let environment = ["python": Program.python ?? ""]
        let answer = try server.shell(
            """
            "$python" upload.py $url die; test $? = 137 || exit 1
            "$python" upload.py $url && cmp film docroot/in/film
            curl -sf -H 'Tus-Resumable: 1.0.0' -o out -w '%{http_code}' -I $url/tus/2
            """, environment: environment)
        #expect(answer.lines.first == "0", "\(answer.errors)")
        #expect(answer.lines.dropFirst().first == "1000000", "\(answer.errors)")
        #expect(answer.lines.last == "404", "one upload alone was made: \(answer.output)")
    }

    @Test(
        .enabled(if: Program.python != nil, "./lab test installs tuspy"),
        arguments: [SIGTERM, SIGKILL])
    func `tuspy goes on after the server was ended and started again`(signal: Int32) throws {
        let server = try ServedFolder()
        try server.write(3_000_000, to: "film")
        let environment = ["python": Program.python ?? ""]
        let begin = """
            import sys
            from tusclient import client
            def upload(**more):
                return client.TusClient(sys.argv[1] + '/tus').uploader(
                    'film', chunk_size=400_000, **more)
            """
        let first = try server.shell(
            """
            "$python" - $url <<'END'
            \(begin)
            up = upload(metadata={'filename': 'in/film'})
            up.upload(stop_at=1_200_000)
            print(up.url.split('/')[-1], up.offset, end='')
            END
            """, environment: environment)
        #expect(first.output == "1 1200000", "\(first.errors)")
        _ = server.end(by: signal)
        try server.start()
        let second = try server.shell(
            """
            "$python" - $url <<'END' && cmp film docroot/in/film
            \(begin)
            up = upload(url=sys.argv[1] + '/tus/1')
            print(up.offset, end='')
            up.upload()
            END
            """, environment: environment)
        #expect(second.output == "1200000", "\(second.errors)")
        #expect(second.code == 0, "\(second.errors)")
    }
}
