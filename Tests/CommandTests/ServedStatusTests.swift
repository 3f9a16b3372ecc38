import Foundation
import Testing

/// The page on which a person watches a server and switches its faults.
@Suite struct ServedStatusTests {
    @Test func `transfers, faults and what happened are shown, to people and programs`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  slow <lane>: { do: send objects at 100 kbit/s, method: GET }
                  full disk: { do: fill the disk, starts: off }
                """)
        try server.write(300_000, to: "film")
        let answer = try server.shell(
            """
            curl -sf -T film $url/dav/film
            curl -sf -o /dev/null -X POST -H 'Tus-Resumable: 1.0.0' -H 'Upload-Length: 5000' \\
                -H 'Upload-Metadata: filename bm90ZQ==' $url/tus
            curl -sN $url/dav/film -o begun &
            until [ -s begun ]; do :; done
            curl -sf ${page}status.json >status
            curl -sf -D head -o shown $page
            kill $!
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        let data = try Data(contentsOf: server.desk.url.appending(path: "status"))
        let status = try JSONDecoder().decode(Status.self, from: data)
        #expect(
            status.faults == [
                .init(
                    name: "slow <lane>", isOn: true, hits: 1,
                    toggle: "/faults/slow%20%3Clane%3E/off"),
                .init(name: "full disk", isOn: false, hits: 0, toggle: "/faults/full%20disk/on"),
            ])
        let upload = try #require(status.transfers.first)
        #expect(
            upload.direction == "upload" && upload.object == "note" && upload.total == 5_000
                && !upload.isUnderWay)
        let download = try #require(status.transfers.last)
        #expect(
            download.direction == "download" && download.object == "film"
                && download.total == 300_000 && download.isUnderWay
                && download.client == "127.0.0.1")
        let sentences = status.recent.map(\.sentence)
        #expect(sentences.contains("film is published as version 1"))
        #expect(
            sentences.first { $0.hasPrefix("fault “slow <lane>” on GET /dav/film") } != nil,
            "\(sentences)")
        let page = try server.text(of: "shown")
        #expect(page.contains("slow &lt;lane&gt;") && !page.contains("<lane>"))
        #expect(page.contains("0 B of 5 kB"))
        // The browser looks again by itself.
        #expect(try server.text(of: "head").contains("Refresh: 2\r\n"))
    }

    @Test func `datagrams that nobody has sealed are counted`() throws {
        let server = try ServedFolder()
        let answer = try server.shell(
            """
            bash -c 'for each in 1 2 3; do
                echo $each-not-sealed >/dev/udp/127.0.0.1/\(server.port)
            done'
            for look in $(seq 100); do
                curl -sf ${page}status.json | grep -q '"refusedDatagrams" *: *3' && break
            done
            curl -sf $page
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output.contains("3 datagrams refused"))
    }

    @Test func `a button switches a fault on and off`() throws {
        let server = try ServedFolder(
            "--fast", faults: "faults: { full disk: { do: fill the disk, starts: off } }")
        let answer = try server.shell(
            """
            put() { curl -s -T begun -o /dev/null -w '%{http_code} ' $url/dav/a; }
            press() { curl -s -X POST -o /dev/null -w '%{http_code}%{redirect_url} ' $page$1; }
            echo hello >begun
            put; press faults/full%20disk/on
            put; press faults/full%20disk/off
            put; press faults/other/on
            """)
        #expect(
            answer.output == "201 303\(server.statusPage) 507 303\(server.statusPage) 204 404 ")
    }

    @Test func `the page is there while the server is down`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: "faults: { crash: { do: restart after 1000 s, starts: off } }")
        let answer = try server.shell(
            """
            curl -s -X POST ${page}faults/crash/on
            curl -s -o /dev/null $url/dav/x; echo $?
            curl -sf ${page}status.json | grep -c '"hits" : 1'
            """)
        #expect(answer.output == "7\n1\n")
    }

    @Test func `visitors who say nothing, or nonsense, stop nobody`() throws {
        let server = try ServedFolder("--fast")
        let port = server.statusPage.filter(\.isNumber).dropFirst("127001".count)
        let answer = try server.shell(
            """
            bash -c '
                exec {first}<>/dev/tcp/127.0.0.1/\(port)
                for i in $(seq 100); do exec {silent}<>/dev/tcp/127.0.0.1/\(port); done
                timeout 10 cat <&$first && echo "the first is gone"
                exec 3<>/dev/tcp/127.0.0.1/\(port)
                printf "NONSENSE\\r\\n\\r\\n" >&3
                head -1 <&3
                curl -sf -o /dev/null -w "%{http_code}\\n" $page'
            curl -s -H 'Host: example.com' -o /dev/null -w '%{http_code}\\n' $page
            """)
        #expect(
            answer.output
                == "the first is gone\nHTTP/1.1 400 Bad Request\r\n200\n403\n", "\(answer.errors)")
    }

    @Test func `the page waits, as clients do, where the system has no room for one more`() throws {
        let folder = try TemporaryFolder()
        let script = """
            import json, resource, socket, subprocess, sys
            server = subprocess.Popen(
                [sys.argv[1], 'serve', '--docroot', '.'], stdout=subprocess.PIPE,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60)))
            try:
                lines = [json.loads(server.stdout.readline())['server'] for _ in range(2)]
                page = int(lines[1]['statusShown']['at'].split(':')[2].rstrip('/'))
                clients = [
                    socket.create_connection(('127.0.0.1', lines[0]['listening']['port']))
                    for _ in range(200)]
                visitor = socket.create_connection(('127.0.0.1', page), timeout=20)
                visitor.sendall(f'GET / HTTP/1.1\\r\\nHost: localhost:{page}\\r\\n\\r\\n'.encode())
                for client in clients: client.close()
                print(visitor.recv(15).decode(), end='')
            finally:
                server.kill()
            """
        try Data(script.utf8).write(to: folder.url.appending(path: "many.py"))
        let answer = try Program.shell("python3 many.py \"$lab\"", in: folder.url)
        #expect(answer.output == "HTTP/1.1 200 OK", "\(answer.errors)")
    }

    private struct Status: Decodable {
        var faults: [Fault]
        var transfers: [Transfer]
        var recent: [Happening]

        struct Fault: Decodable, Equatable {
            var name: String
            var isOn: Bool
            var hits: Int
            var toggle: String
        }

        struct Transfer: Decodable {
            var direction: String
            var object: String
            var total: Int
            var isUnderWay: Bool
            var client: String?
        }

        struct Happening: Decodable { var sentence: String }
    }
}

extension ServedFolder {
    /// A file on the desk.
    fileprivate func text(of name: String) throws -> String {
        try String(contentsOf: desk.url.appending(path: name), encoding: .utf8)
    }
}
