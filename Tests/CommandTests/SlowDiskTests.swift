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

    private func slowServer() throws -> ServedFolder {
        let folder = try TemporaryFolder()
        let source = folder.url.appending(path: "slow.c")
        try Data(Self.slowness.utf8).write(to: source)
        let library = folder.url.appending(path: "slow.so")
        let built = try Program.shell(
            "cc -shared -fPIC -o '\(library.path)' '\(source.path)' -ldl", in: folder.url)
        try #require(built.code == 0, "\(built.errors)")
        // The loader takes a space in a path for its end.
        let link = URL(filePath: "/tmp/slow-\(UUID().uuidString).so")
        try FileManager.default.moveItem(at: library, to: link)
        defer { try? FileManager.default.removeItem(at: link) }
        return try ServedFolder(environment: ["LD_PRELOAD": link.path])
    }

    @Test func `a small object is read while another waits for the disk`() throws {
        let server = try slowServer()
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
        let server = try slowServer()
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
        let server = try slowServer()
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
