import Foundation
import Testing

/// Uploads that clients have begun and left.
@Suite struct LeftUploadsTests {
    @Test func `a thousand of them take no descriptor, and each goes on after a restart`() throws {
        let folder = try TemporaryFolder()
        try Data(Self.script.utf8).write(to: folder.url.appending(path: "left.py"))
        let answer = try Program.shell(
            "mkdir docroot && python3 left.py \"$lab\" docroot 1200", in: folder.url)
        #expect(answer.code == 0, "\(answer.errors)")
    }

    private static let script = #"""
        import atexit, base64, http.client, resource, signal, subprocess, sys, threading

        lab, docroot, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
        open(docroot + '/here', 'wb').write(b'an object')

        def few(): resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

        def start(*options):
            process = subprocess.Popen(
                [lab, 'serve', '--docroot', docroot, *options], stdout=subprocess.PIPE,
                preexec_fn=few)
            atexit.register(process.kill)
            line = process.stdout.readline().decode()
            port = int(line.split('"port":')[1].rstrip('}\n'))
            # A full pipe would stop it.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, http.client.HTTPConnection('127.0.0.1', port, timeout=60)

        def ask(connection, method, path, body=None, **fields):
            fields = dict(fields, Tus_Resumable='1.0.0')
            fields = {name.replace('_', '-'): str(value) for name, value in fields.items()}
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return answer, answer.read()

        kind = 'application/offset+octet-stream'
        process, connection = start('--fast')
        places = []
        for number in range(count):
            name = base64.b64encode(str(number).encode()).decode()
            answer, _ = ask(
                connection, 'POST', '/tus', Upload_Length=10, Upload_Metadata='filename ' + name)
            assert answer.status == 201, (number, answer.status)
            places.append(answer.getheader('Location'))
            answer, _ = ask(
                connection, 'PATCH', places[-1], b'half ', Upload_Offset=0, Content_Type=kind)
            assert answer.status == 204, (number, answer.status)
        assert ask(connection, 'GET', '/dav/here')[1] == b'an object'
        process.send_signal(signal.SIGKILL)
        process.wait()

        process, connection = start()
        assert ask(connection, 'GET', '/dav/here')[1] == b'an object'
        for place in places:
            answer, _ = ask(connection, 'HEAD', place)
            assert answer.getheader('Upload-Offset') == '5', answer.getheader('Upload-Offset')
        for number in (0, count // 2, count - 1):
            answer, _ = ask(
                connection, 'PATCH', places[number], b'whole', Upload_Offset=5, Content_Type=kind)
            assert answer.status == 204, answer.status
            assert ask(connection, 'GET', f'/dav/{number}')[1] == b'half whole'
        process.kill()
        """#
}
