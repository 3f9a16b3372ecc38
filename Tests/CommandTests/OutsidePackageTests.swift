import Foundation
import Testing

/// The library as another project takes it: by a version, into a package of its own.
@Suite struct OutsidePackageTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The folder that holds `swift`; `./lab test --long package` names it.
    private static let toolchain = environment["TRANSFERLAB_TOOLCHAIN"]

    @Test(.enabled(if: toolchain != nil, "./lab test --long package builds it from nothing"))
    func `the program of the README is built in another package, and uploads a file`() throws {
        let folder = try TemporaryFolder()
        let app = folder.url.appending(path: "App/Sources/App")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        try Data(Self.manifest.utf8)
            .write(to: folder.url.appending(path: "App/Package.swift"))
        try Data(Program.page("Tests/Uploader/Uploader.swift").utf8)
            .write(to: app.appending(path: "Uploader.swift"))
        let answer = try Program.shell(
            Self.script, in: folder.url,
            environment: [
                "house": Program.house.path, "toolchain": Self.toolchain ?? "",
                "result": Self.environment["TRANSFERLAB_RESULT"] ?? "result.json",
            ], seconds: 1_200)
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
    }

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "App", platforms: [.iOS(.v18), .macOS(.v15)],
            dependencies: [.package(url: "../TransferLab", exact: "1.0.0")],
            targets: [
                .executableTarget(
                    name: "App",
                    dependencies: [.product(name: "TransferHost", package: "TransferLab")])
            ])
        """

    /// The sources as they are now get a version in a repository of their own.
    private static let script = #"""
        set -eu
        PATH=$toolchain:$PATH
        mkdir TransferLab docroot files
        cp -R "$house/Package.swift" "$house/Sources" "$house/Tests" TransferLab
        git -C TransferLab init -q
        git -C TransferLab add .
        git -C TransferLab -c user.name=lab -c user.email=lab@localhost commit -q -m 1.0.0
        git -C TransferLab tag 1.0.0
        began=$(date +%s)
        swift build -c release --package-path App
        seconds=$(($(date +%s) - began))
        head -c 10000000 /dev/urandom >files/film.mov
        "$lab" serve --docroot docroot >log 2>errors &
        trap 'kill $!' EXIT
        while ! grep -q '"port"' log; do kill -0 $!; done
        port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' log)
        said=$(timeout 60 App/.build/release/App files film.mov "$port")
        test "$said" = completed
        cmp files/film.mov docroot/in/film.mov
        printf '{"buildSeconds":%d,"bytesUploaded":10000000}' "$seconds" >"$result"
        """#
}
