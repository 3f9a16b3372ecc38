import Foundation
import Testing

/// The languages of `serve` on real disks, over real sockets, across real restarts.
@Suite struct ServedFrontEndsTests {
    @Test func `an upload of the kind that phones resume outlives the server`() throws {
        let server = try ServedFolder()
        try server.write(1_000_000, to: "film")
        let version = "-H 'Upload-Draft-Interop-Version: 6'"
        let first = try server.shell(
            """
            head -c 400000 film >part
            curl -sf -D head -X POST \(version) -H 'Upload-Complete: ?0' \
                --data-binary @part $url/upload/in/film
            grep -c '^HTTP/1.1 104' head; tr -d '\\r' <head | sed -n 's/^Location: //p' | tail -1
            """)
        #expect(first.lines == ["1", "/uploads/1"])
        #expect(server.end(by: SIGKILL) == SIGKILL)
        try server.start()
        let second = try server.shell(
            """
            curl -sfI \(version) $url/uploads/1 | tr -d '\\r' | sed -n 's/^Upload-Offset: //p'
            tail -c +400001 film >rest
            curl -sf -o out -w '%{http_code}' -X PATCH \(version) -H 'Upload-Complete: ?1' \
                -H 'Upload-Offset: 400000' -H 'Content-Type: application/partial-upload' \
                --data-binary @rest $url/uploads/1
            cmp film docroot/in/film
            """)
        #expect(second.output == "400000\n200")
        #expect(second.code == 0, "\(second.errors)")
    }

    /// What an upload asks before it overwrites an object (A15).
    @Test func `a digest of an object is that of its bytes, as others make it`() throws {
        let server = try ServedFolder()
        try server.write(700_000, to: "docroot/film")
        let answer = try server.shell(
            """
            sum=$(sha256sum docroot/film | cut -d' ' -f1 | xxd -r -p | base64 -w0)
            curl -sfI -H 'Want-Repr-Digest: sha-256=10' $url/dav/film | tr -d '\\r' >head
            grep -c "^Repr-Digest: sha-256=:$sum:$" head
            grep -c '^Content-Length: 700000$' head
            curl -sfI $url/dav/film | grep -ci repr-digest
            """)
        #expect(answer.lines == ["1", "1", "0"])
    }

    @Test func `a signed address is good after a restart, and its key is remembered`() throws {
        let server = try ServedFolder()
        let signed = try server.shell("curl -sf -X POST $url/once/note -D - -o out").output
        let address =
            signed.split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("Location: ") }.map { String($0.dropFirst(10)) } ?? ""
        let put = """
            printf hello | curl -sf -o out -w '%{http_code} ' -T - -H 'Content-Length: 5' \
                -H 'Transfer-Encoding:' -H 'Idempotency-Key: k' "$url$address" -D head
            grep -ci replayed head
            """
        let environment = ["address": address]
        #expect(try server.shell(put, environment: environment).output == "201 0\n")
        #expect(server.end(by: SIGKILL) == SIGKILL)
        try server.start()
        #expect(try server.shell(put, environment: environment).output == "201 1\n")
        let answer = try server.shell("cat docroot/note")
        #expect(answer.output == "hello")
    }

    @Test func `who reads a body that is replaced gets the rest of it, or hears that it is gone`()
        throws
    {
        let server = try ServedFolder("--fast")
        try server.write(20_000_000, to: "old")
        let object = "api/apps/a/buckets/b/objects/o/body"
        let answer = try server.shell(
            """
            curl -sf -T old $url/dav/film; curl -sf -T old $url/\(object)
            curl -s --limit-rate 20M -o one $url/dav/film & one=$!
            curl -s --limit-rate 20M -o two $url/\(object) & two=$!
            while [ ! -s one ] || [ ! -s two ]; do :; done
            printf new | curl -sf -T - $url/dav/film; printf new | curl -sf -T - $url/\(object)
            wait $one && cmp old one && printf 'whole '
            wait $two || printf 'failed '
            curl -sf $url/dav/film; curl -sf $url/\(object)
            """)
        #expect(answer.output == "whole failed newnew", "\(answer.errors)")
    }

    @Test func `users have their passwords, folders and quotas`() throws {
        let users = """
            {"users": [{"name": "ada", "password": "x y", "docroot": "homes/ada", "quota": 100000},
                       {"name": "bob", "tokens": [{"token": "t", "expires": null}]}]}
            """
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "users.json")
        try Data(users.utf8).write(to: file)
        let server = try ServedFolder("--fast", "--users", file.path)
        try server.write(60_000, to: "film")
        let answer = try server.shell(
            """
            put() { curl -s -o out -w '%{http_code} ' -T film "$@"; }
            put $url/dav/film; put -u ada:wrong $url/dav/film; put -u 'ada:x y' $url/dav/film
            put -u 'ada:x y' $url/dav/more; cat out
            put -H 'Authorization: Bearer t' $url/dav/more
            cmp film docroot/homes/ada/film && cmp film docroot/more
            """)
        let refusal = "ada may keep 100 kB, and this would make it 120 kB"
        #expect(answer.output == "401 401 201 507 \(refusal)\n201 ")
        #expect(answer.code == 0)
    }

    @Test(arguments: ["", "[]", "{\"users\": []}"]) func `a file of users that is none is an error`(
        text: String
    ) throws {
        let desk = try Desk()
        try desk.write(text, to: "users")
        let answer = try desk.lab("serve", "--docroot", ".", "--users", "users")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("users"))
    }

    @Test func `a property that is too large for a disk is refused, and costs nothing else`() throws
    {
        let server = try ServedFolder("--fast")
        let answer = try server.shell(
            """
            change() { curl -s -o out -w '%{http_code} ' -X PROPPATCH --data @change $url/dav/a; }
            property() { printf '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="y">'
                head -c $1 /dev/zero | tr '\\0' x
                printf '</x></D:prop></D:set></D:propertyupdate>'; }
            echo 1 | curl -sf -T - $url/dav/a
            property 100000 >change; change
            property 100 >change; change
            curl -sf $url/dav/a
            """)
        #expect(answer.output == "507 207 1\n", "\(answer.errors)")
    }

    @Test func `folders do not get deeper than a path can name`() throws {
        let server = try ServedFolder("--fast")
        let script = """
            import http.client, sys
            connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
            def ask(method, path, **fields):
                connection.request(method, path, headers=fields)
                answer = connection.getresponse()
                answer.read()
                return answer.status
            for top in 'ab':
                path = '/dav/' + top
                for _ in range(400):
                    assert ask('MKCOL', path) == 201
                    path += '/a'
            for method in 'MOVE', 'COPY':
                print(ask(method, '/dav/a', Destination=path), end=' ')
            print(ask('MOVE', '/dav/a', Destination='/dav/b/c'), ask('DELETE', '/dav/b'), end='')
            """
        try Data(script.utf8).write(to: server.desk.url.appending(path: "deep.py"))
        let answer = try server.shell("python3 deep.py ${url##*:}; ls docroot/.transferlab")
        #expect(answer.output.hasPrefix("403 403 201 204"), "\(answer.errors)")
        #expect(!answer.output.contains("draft"))
    }

    @Test func `memory does not grow with the object`() throws {
        let server = try ServedFolder("--fast")
        let answer = try server.shell(
            """
            truncate -s 300M big
            curl -sf -T big $url/dav/big && curl -sf -o copy $url/dav/big && cmp big copy
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(try server.peakMegabytes() < 100)
    }
}
