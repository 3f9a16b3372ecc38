import Foundation
import Testing

/// How fast a big object is read, beside nginx in the same minutes.
@Suite struct ServedSpeedTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The program; `./lab test --long get` installs it and says where.
    static let nginx = environment["TRANSFERLAB_NGINX"]

    @Test(.enabled(if: nginx != nil, "./lab test --long get installs nginx"))
    func `a gigabyte is read at half of nginx's speed or more, and in no more memory`() throws {
        let folder = try TemporaryFolder()
        try Data(Self.script.utf8).write(to: folder.url.appending(path: "get.py"))
        let answer = try Program.shell(
            "mkdir docroot && python3 get.py \"$lab\" '\(Self.nginx ?? "")'", in: folder.url,
            seconds: 600)
        #expect(answer.code == 0, "\(answer.errors)")
        print(answer.output)
        if let place = Self.environment["TRANSFERLAB_RESULT"] {
            try Data(answer.output.utf8).write(to: URL(filePath: place))
        }
        let said = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        let figures = try #require(said as? [String: Double])
        #expect(try #require(figures["ratio"]) >= 0.5, "\(answer.output)")
        let grown =
            try #require(figures["peakMegabytesAfterGigabyte"])
            - #require(figures["peakMegabytesAfterMegabyte"])
        #expect(grown < 2, "\(answer.output)")
    }

    private static let script = #"""
        import json, os, socket, statistics, subprocess, sys, time

        lab, nginx = sys.argv[1:]
        rounds = 7
        million = os.urandom(1_000_000)
        with open('docroot/small', 'wb') as file: file.write(million)
        with open('docroot/big', 'wb') as file:
            for _ in range(1000): file.write(million)

        def peak(process):
            for line in open(f'/proc/{process.pid}/status'):
                if line.startswith('VmHWM:'): return int(line.split()[1]) / 1000

        def read(url):
            began = time.monotonic()
            subprocess.run(['curl', '-sf', '-o', '/dev/null', url], check=True)
            return time.monotonic() - began

        serve = subprocess.Popen(
            [lab, 'serve', '--docroot', 'docroot'], stdout=subprocess.PIPE)
        ours = int(serve.stdout.readline().decode().split('"port":')[1].rstrip('}\n'))
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            theirs = free.getsockname()[1]
        kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        places = ' '.join(f'{kind}_temp_path {kind};' for kind in kinds)
        with open('nginx.conf', 'w') as file: file.write(f'''
            daemon off; master_process off; pid nginx.pid; error_log stderr;
            events {{}}
            http {{ access_log off; sendfile on; {places}
                server {{ listen 127.0.0.1:{theirs}; root "{os.getcwd()}/docroot"; }} }}''')
        other = subprocess.Popen([nginx, '-p', os.getcwd(), '-c', 'nginx.conf'])
        try:
            while True:
                try: socket.create_connection(('127.0.0.1', theirs)).close()
                except ConnectionRefusedError: assert other.poll() is None
                else: break
            urls = [f'http://127.0.0.1:{ours}/dav/', f'http://127.0.0.1:{theirs}/']
            for url in urls: read(url + 'small')
            small = peak(serve)
            for url in urls: read(url + 'big')
            times = [[read(url + 'big') for url in urls] for _ in range(rounds)]
            ratios = [theirs / ours for ours, theirs in times]
            print(json.dumps({
                'ratio': round(statistics.median(ratios), 3),
                'leastRatio': round(min(ratios), 3), 'mostRatio': round(max(ratios), 3),
                'megabytesPerSecond': round(1000 / statistics.median(t[0] for t in times)),
                'megabytesPerSecondOfNginx': round(1000 / statistics.median(t[1] for t in times)),
                'peakMegabytesAfterMegabyte': small, 'peakMegabytesAfterGigabyte': peak(serve),
                'peakMegabytesOfNginx': peak(other), 'rounds': rounds}))
        finally:
            serve.kill()
            other.kill()
        """#
}
