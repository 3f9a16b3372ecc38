import Foundation
import Testing

/// A server that is killed at any moment, again and again, while clients upload.
@Suite struct KilledServerTests {
    /// A thousand, for some minutes, by `./lab test --long kills`.
    static let rounds =
        ProcessInfo.processInfo.environment["TRANSFERLAB_KILLS"]
        .flatMap { Int($0) } ?? 20

    @Test func `every object is a whole one, and what was acknowledged is there`() throws {
        let folder = try TemporaryFolder()
        try Data((Self.server + Self.script).utf8).write(to: folder.url.appending(path: "kills.py"))
        let answer = try Program.shell(
            "mkdir docroot && python3 kills.py \"$lab\" docroot \(Self.rounds) 1", in: folder.url,
            seconds: Program.longestSeconds + 3 * Self.rounds)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output == "\(Self.rounds) kills\n")
    }

    @Test func `the beginning of a chunk with a checksum does not count`() throws {
        let folder = try TemporaryFolder()
        try Data((Self.server + Self.half).utf8).write(to: folder.url.appending(path: "half.py"))
        let answer = try Program.shell(
            "mkdir docroot && python3 half.py \"$lab\" docroot", in: folder.url)
        #expect(answer.code == 0, "\(answer.errors)")
    }

    /// Half of a chunk comes, and others' bytes are acknowledged before the server is killed, so
    /// that it has had the time to bring those of the half to the disk.
    private static let half = #"""

        import base64, hashlib

        version = {'Tus_Resumable': '1.0.0', 'Content_Type': 'application/offset+octet-stream'}
        whole = body(1)
        checksum = 'sha1 ' + base64.b64encode(hashlib.sha1(whole).digest()).decode()

        def create(connection, name):
            answer, _ = ask(
                connection, 'POST', '/tus', Tus_Resumable='1.0.0', Upload_Length=len(whole),
                Upload_Metadata='filename ' + base64.b64encode(name.encode()).decode())
            assert answer.status == 201, answer.status
            return answer.getheader('Location')

        def patch(connection, url, offset, piece, **fields):
            answer, _ = ask(
                connection, 'PATCH', url, piece, Upload_Offset=offset, **version, **fields)
            assert answer.status == 204, answer.status

        server = Server()
        connection = server.connect()
        url, other = create(connection, 'a'), create(connection, 'b')
        half = server.connect()
        half.putrequest('PATCH', url)
        fields = dict(version, Upload_Offset=0, Upload_Checksum=checksum)
        for name, value in fields.items():
            half.putheader(name.replace('_', '-'), str(value))
        half.putheader('Content-Length', str(len(whole)))
        half.endheaders()
        half.send(whole[:len(whole) // 2])
        for offset in range(5): patch(connection, other, offset, whole[offset:offset + 1])
        server.kill()
        server = Server()
        connection = server.connect()
        answer, _ = ask(connection, 'HEAD', url, Tus_Resumable='1.0.0')
        assert answer.getheader('Upload-Offset') == '0', answer.getheader('Upload-Offset')
        answer, _ = ask(connection, 'HEAD', other, Tus_Resumable='1.0.0')
        assert answer.getheader('Upload-Offset') == '5', answer.getheader('Upload-Offset')
        patch(connection, url, 0, whole, Upload_Checksum=checksum)
        _, found = ask(connection, 'GET', '/dav/a')
        server.kill()
        assert found == whole
        """#

    /// A server, and how to ask it.
    private static let server = #"""
        import http.client, os, random, signal, subprocess, sys, threading, time

        lab, docroot = sys.argv[1], sys.argv[2]

        def body(k):
            return random.Random(k).randbytes(20_000 + k * 7919 % 300_000)

        class Server:
            def __init__(self):
                self.process = subprocess.Popen(
                    [lab, 'serve', '--docroot', docroot], stdout=subprocess.PIPE)
                line = self.process.stdout.readline().decode()
                self.port = int(line.split('"port":')[1].rstrip('}\n'))
                drain = lambda: [None for _ in self.process.stdout]
                threading.Thread(target=drain, daemon=True).start()
            def connect(self):
                return http.client.HTTPConnection('127.0.0.1', self.port, timeout=20)
            def kill(self):
                os.kill(self.process.pid, signal.SIGKILL)
                self.process.wait()

        def ask(connection, method, path, body=None, **fields):
            headers = {name.replace('_', '-'): str(value) for name, value in fields.items()}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer, answer.read()

        """#

    private static let script = #"""

        rounds, seed = int(sys.argv[3]), int(sys.argv[4])
        chance = random.Random(seed)

        lock, last = threading.Lock(), [0]
        def fresh():
            with lock:
                last[0] += 1
                return last[0]

        gone = (OSError, http.client.HTTPException)

        class Put:
            """Puts one version after another to one place."""
            def __init__(self, name):
                self.path, self.possible = '/dav/' + name, {None}
            def work(self, server):
                connection = server.connect()
                while True:
                    k = fresh()
                    self.possible.add(k)
                    answer, _ = ask(connection, 'PUT', self.path, body(k))
                    assert answer.status in (201, 204), answer.status
                    self.possible = {k}
            def check(self, server):
                answer, found = ask(server.connect(), 'GET', self.path)
                if answer.status == 404:
                    assert None in self.possible, f'{self.path} is gone'
                    return
                k = [k for k in self.possible if k and body(k) == found]
                assert k, f'{self.path} is none of {self.possible}'
                self.possible = {k[0]}

        class Tus:
            """Uploads one object after another, a piece at a time."""
            def __init__(self, name):
                self.name, self.url, self.done = name, None, None
            def work(self, server):
                import base64
                connection, version = server.connect(), {'Tus_Resumable': '1.0.0'}
                while True:
                    if self.url is None:
                        k = fresh()
                        name = f'{self.name}/{k}'
                        answer, _ = ask(
                            connection, 'POST', '/tus', Upload_Length=len(body(k)),
                            Upload_Metadata='filename '
                                + base64.b64encode(name.encode()).decode(), **version)
                        assert answer.status == 201, answer.status
                        self.k, self.offset = k, 0
                        self.url = answer.getheader('Location')
                    piece = body(self.k)[self.offset:self.offset + 30_000]
                    answer, _ = ask(
                        connection, 'PATCH', self.url, piece, Upload_Offset=self.offset,
                        Content_Type='application/offset+octet-stream', **version)
                    assert answer.status == 204, answer.status
                    self.offset = int(answer.getheader('Upload-Offset'))
                    self.finish(server)
            def finish(self, server):
                if self.offset < len(body(self.k)): return
                self.done, self.url = self.k, None
                self.look(server)
            def look(self, server):
                if self.done is None: return
                _, found = ask(server.connect(), 'GET', f'/dav/{self.name}/{self.done}')
                assert found == body(self.done), f'{self.name}/{self.done} is not what was sent'
            def check(self, server):
                self.look(server)
                if self.url is None: return
                answer, _ = ask(server.connect(), 'HEAD', self.url, Tus_Resumable='1.0.0')
                assert answer.status == 200, f'{self.url}: {answer.status}'
                offset = int(answer.getheader('Upload-Offset'))
                assert offset >= self.offset, f'{self.url} lost {self.offset - offset} bytes'
                self.offset = offset
                self.finish(server)

        clients = [Put('a'), Put('b'), Tus('c'), Tus('d')]
        failures = []
        def run(client, server):
            try: client.work(server)
            except gone: pass
            except AssertionError as problem: failures.append(str(problem))

        for _ in range(rounds):
            server = Server()
            threads = [threading.Thread(target=run, args=(c, server)) for c in clients]
            for thread in threads: thread.start()
            time.sleep(chance.uniform(0.005, 0.15))
            server.kill()
            for thread in threads: thread.join()
            server = Server()
            for client in clients: client.check(server)
            server.kill()
            assert not failures, failures
        rubbish = [n for n in os.listdir(docroot + '/.transferlab') if n.startswith('draft')]
        assert not rubbish, rubbish
        print(rounds, 'kills')
        """#
}
