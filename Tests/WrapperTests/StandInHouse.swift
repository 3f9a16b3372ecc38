import Foundation

/// A folder with the real `lab` in it and stand-ins for everything that `lab` calls, so that its
/// behaviour shows in milliseconds: the compiler writes a script that says how it was called, and
/// the tools are links to the system's in a folder that is all of PATH.
final class StandInHouse {
    struct Answer {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The folder that holds everything else; its name has a space, as a user's may.
    let folder: URL
    /// The root of the house, with `lab` in it.
    private(set) var root: URL

    /// How `lab` asks the compiler for a release build in which a change of one room leaves the
    /// others as they are.
    static let optimised =
        "-c release -Xswiftc -Xfrontend -Xswiftc -disable-cmo -Xswiftc -enable-testing"

    /// How `lab` asks for a build that is there soonest.
    static let unoptimised =
        "--disable-index-store -Xswiftc -gnone -Xswiftc -whole-module-optimization "
        + "-Xswiftc -num-threads -Xswiftc 2"

    private var tools: URL { folder.appending(path: "tools") }
    private var calls: URL { folder.appending(path: "calls") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "lab stand-in \(UUID().uuidString)")
        root = folder.appending(path: "the house")
        let sources = root.appending(path: "Sources/transferlab")
        let folders = ["Scenarios", "Tests/QueueTests", "Tests/LinkTests"]
        for place in [tools, sources] + folders.map({ root.appending(path: $0) }) {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let lab = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "lab")
        try FileManager.default.copyItem(at: lab, to: root.appending(path: "lab"))
        try write("// a manifest", to: "Package.swift")
        try write("// a source", to: "Sources/transferlab/Main.swift")
        try linkTools()
        try installTool("swift", Self.compiler)
        let programs = [
            "pkg-config", "chromium", "curl", "tshark", "valgrind", "litmus", "rclone", "aria2c",
            "pdftotext",
        ]
        for program in programs { try installTool(program, "#!/bin/sh\n") }
        try installTool("python3", Self.python)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes a virtual environment whose pip notes how it was called.
    private static let python = """
        #!/bin/sh
        [ "$2" = venv ] || exit 0
        mkdir -p "$3/bin"
        printf '#!/bin/sh\\necho "$*" >>"$STAND_IN/pip-calls"\\n' >"$3/bin/python"
        chmod +x "$3/bin/python"
        """

    // MARK: - Changing the house

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: root.appending(path: path))
    }

    /// Has `swift test` print this.
    func write(testOutput: String) throws {
        try Data(testOutput.utf8).write(to: folder.appending(path: "test-output"))
    }

    func delete(_ path: String) throws {
        try FileManager.default.removeItem(at: root.appending(path: path))
    }

    func move(to name: String) throws {
        let place = folder.appending(path: name)
        try FileManager.default.moveItem(at: root, to: place)
        root = place
    }

    func installTool(_ name: String, _ script: String) throws {
        let place = tools.appending(path: name)
        try? FileManager.default.removeItem(at: place)
        try Data(script.utf8).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
    }

    func removeTool(_ name: String) throws {
        try FileManager.default.removeItem(at: tools.appending(path: name))
    }

    // MARK: - Calling it

    /// `lab` with these arguments, called by `path` (its own by default) from `place`.
    func lab(
        _ arguments: String..., by path: URL? = nil, from place: URL? = nil
    ) throws -> Answer {
        let call = try start(arguments, by: path, from: place)
        return try call.answer()
    }

    /// A call that goes on beside others.
    func start(_ arguments: [String], by path: URL? = nil, from place: URL? = nil) throws -> Call {
        let call = Call(files: folder.appending(path: UUID().uuidString))
        call.process.executableURL = path ?? root.appending(path: "lab")
        call.process.arguments = arguments
        call.process.currentDirectoryURL = place ?? folder
        call.process.environment = ["PATH": tools.path, "STAND_IN": folder.path]
        try call.start()
        return call
    }

    /// How the compiler was called, a line each.
    var compilerCalls: [String] {
        let text = (try? String(contentsOf: calls, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    // MARK: - What stands in

    private func linkTools() throws {
        let names = [
            "sh", "ls", "dirname", "find", "cat", "mkdir", "mv", "rm", "id", "flock", "sed", "diff",
            "head", "wc", "chmod", "sleep", "env", "grep", "uname", "tee", "tail", "date", "awk",
            "xargs", "nproc", "sort",
        ]
        for name in names {
            let found = ["/usr/bin", "/bin"].map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
            guard let found else { continue }
            try FileManager.default.createSymbolicLink(
                atPath: tools.appending(path: name).path, withDestinationPath: found)
        }
    }

    /// Notes how it was called. `build` fails if there is a file `Sources/broken`; the binaries it
    /// makes print digests from a file, or where and how they were called; those of a folder of
    /// their own have digests of their own. `test` prints what the file
    /// `test-output` holds, and ends with what the file `test-status` says.
    static let compiler = """
        #!/bin/sh
        echo "$*" >>"$STAND_IN/calls"
        root=$3
        case $1 in
        build)
            [ ! -f "$root/Sources/broken" ] || { echo "Main.swift:1:1: error: broken"; exit 1; }
            scratch=$root/.build
            digests=
            build=debug
            for word; do
                [ "$word" != release ] || build=release
                [ "${before-}" != --scratch-path ] || { scratch=$word; digests=-elsewhere; }
                before=$word
            done
            mkdir -p "$scratch/$build"
            binary=$scratch/$build/transferlab
            {
                echo '#!/bin/sh'
                echo 'case "$*" in *--digests*)'
                echo "cat '$STAND_IN/digests-$build$digests'"
                echo 'exit ;;'
                echo 'crash\\ *) echo "crash points in $PWD: $*"'
                echo "exit \\$(cat '$STAND_IN/crashes-status') ;;"
                echo '*--baselines*) echo "baselines in $TRANSFERLAB_ROOT"'
                echo "exit \\$(cat '$STAND_IN/baselines-status') ;; esac"
                echo 'printf "%s\\\\n" "in $PWD" "$@"; [ "$1" != fail ]'
            } >"$binary.$$"
            chmod +x "$binary.$$"
            mv "$binary.$$" "$binary" ;;
        test)
            [ ! -f "$STAND_IN/test-output" ] || cat "$STAND_IN/test-output"
            exit "$(cat "$STAND_IN/test-status")" ;;
        esac
        """
}
