import Foundation
import Testing

/// A disk that takes its time: whoever waits for it does so alone.
@Suite struct SlowDiskTests {
    /// Every call that waits for the disk takes two seconds, in whatever process this is loaded.
    private static let slowness = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        int fsync(int file) {
            int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
            sleep(2);
            return real(file);
        }
        """

    /// Each call that waits for the disk in the loop's thread leaves a line in a file.
    private static let watch = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int fsync(int file) {
            int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
            if (syscall(SYS_gettid) == getpid()) {
                int waits = open(getenv("WAITS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
                if (write(waits, "loop\\n", 5) != 5) abort();
                close(waits);
            }
            return real(file);
        }
        """

    private func server(
        with code: String = slowness, environment: [String: String] = [:]
    ) throws -> ServedFolder {
        let folder = try TemporaryFolder()
        let source = folder.url.appending(path: "slow.c")
        try Data(code.utf8).write(to: source)
        let library = folder.url.appending(path: "slow.so")
        let built = try Program.shell(
            "cc -shared -fPIC -o '\(library.path)' '\(source.path)' -ldl", in: folder.url)
        try #require(built.code == 0, "\(built.errors)")
        // The loader takes a space in a path for its end.
        let link = URL(filePath: "/tmp/slow-\(UUID().uuidString).so")
        try FileManager.default.moveItem(at: library, to: link)
        defer { try? FileManager.default.removeItem(at: link) }
        return try ServedFolder(
            environment: environment.merging(["LD_PRELOAD": link.path]) { $1 })
    }

    /// Numbers of uploads, of versions for them, for files that came otherwise, and for copies: of
    /// each kind more are needed than are reserved.
    @Test func `nobody waits for the disk in the loop`() throws {
        let waits = try TemporaryFolder()
        let file = waits.url.appending(path: "waits")
        let server = try server(with: Self.watch, environment: ["WAITS": file.path])
        let before = try String(contentsOf: file, encoding: .utf8)
        #expect(before.hasPrefix("loop\n"), "nothing was watched")
        let answer = try server.shell(
            """
            echo film > film
            curl -sf -T film $url/dav/film || exit 1
            tus='Tus-Resumable: 1.0.0'
            curl -sf -X POST -H "$tus" -H 'Upload-Length: 5' \\
                -H "Upload-Metadata: filename $(printf a | base64)" $url/tus || exit 2
            curl -sf -X PATCH -H "$tus" -H 'Upload-Offset: 0' --data-binary @film \\
                -H 'Content-Type: application/offset+octet-stream' $url/tus/2 || exit 3
            (cd docroot && seq 2500 | xargs touch)
            curl -sf -X PROPFIND -H 'Depth: 1' $url/dav/ > list || exit 4
            grep -o 'getetag>[^<]*v[1-9][0-9]*' list | sort -u | wc -l
            mkdir docroot/many && (cd docroot/many && seq 1100 | xargs touch)
            curl -sf -X COPY -H "Destination: $url/dav/more" $url/dav/many -o /dev/null || exit 5
            cmp film docroot/a
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.lines == ["2502"])
        #expect(try String(contentsOf: file, encoding: .utf8) == before)
    }

    @Test func `a small object is read while another waits for the disk`() throws {
        let server = try self.server()
        try Data("small\n".utf8).write(to: server.docroot.appending(path: "small"))
        try server.write(2_000_000, to: "film")
        let answer = try server.shell(
            """
            # The first upload spends a thousand numbers, and waits for the disk more than once.
            curl -sf -T film $url/dav/first || exit 1
            curl -sf -T film $url/dav/film & upload=$!
            while ! ls docroot/.transferlab | grep -q '^[0-9]*$'; do :; done
            for _ in 1 2 3; do
                curl -sf -w '%{time_total}\\n' $url/dav/small
                test -e docroot/film && echo shown
            done
            curl -sf -X COPY -H "Destination: $url/dav/copy" $url/dav/film -o /dev/null & copy=$!
            curl -sf -w '%{time_total}\\n' $url/dav/small
            wait $upload && cmp film docroot/film
            """)
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
        let times = answer.lines.compactMap(Double.init)
        #expect(times.count == 4 && times.allSatisfy { $0 < 1 }, "\(answer.output)")
        #expect(!answer.lines.contains("shown"), "nothing was waited for: \(answer.output)")
    }

    /// The folder, the bytes and the name are waited for, one after the other.
    @Test func `an object waits for the folder that somebody else is making`() throws {
        let server = try self.server()
        let answer = try server.shell(
            """
            echo small > small
            curl -sf -T small $url/dav/first || exit 1
            curl -sf -X MKCOL $url/dav/new & folder=$!
            while ! test -e docroot/new; do :; done
            curl -sf -T small -w '%{time_total}\\n' $url/dav/new/small
            wait $folder
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        let times = answer.lines.compactMap(Double.init)
        #expect(times.count == 1 && times[0] > 5.5, "\(answer.output)")
    }

    @Test func `uploads to one place are shown one after the other`() throws {
        let server = try self.server()
        try server.write(50_000, to: "one")
        try server.write(60_000, to: "two")
        let answer = try server.shell(
            """
            curl -sf -T one $url/dav/film & one=$!
            curl -sf -T two $url/dav/film & two=$!
            wait $one && wait $two && curl -sf -o found $url/dav/film && cmp found docroot/film
            { cmp -s one found || cmp -s two found; } && ls docroot/.transferlab
            """)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.lines.filter { Int($0) != nil } == [], "\(answer.output)")
    }
}
