import Foundation
import Testing

/// `serve --tls`, for clients that are not ours.
@Suite struct ServedSecurityTests {
    /// A folder for the certificate and the key.
    private let identity: TemporaryFolder

    init() throws { identity = try TemporaryFolder() }

    private var folder: String { identity.url.path }
    /// Shells find the certificate by it.
    private var trust: [String: String] { ["trusted": folder + "/certificate.pem"] }

    @Test func `curl puts and gets over TLS, and trusts nobody else`() throws {
        let server = try ServedFolder("--tls", folder)
        try server.write(5_000_000, to: "film.mov")
        let answer = try server.shell(
            """
            set -e
            place=https://localhost:${url##*:}/dav/film.mov
            trusting() { curl --silent --show-error --fail --cacert "$trusted" "$@"; }
            trusting --upload-file film.mov $place
            trusting --tls-max 1.2 --output back.mov $place
            cmp film.mov back.mov
            trusting --tlsv1.3 --range 4000000-4999999 --output tail.mov $place
            tail -c 1000000 film.mov | cmp - tail.mov
            curl --silent --output stolen.mov $place && exit 1
            test ! -e stolen.mov
            """, environment: trust)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(server.end(by: SIGTERM) == 0)
        #expect(server.lines.contains { $0.contains("\(folder)/certificate.pem") })
    }

    @Test func `a restart has the same certificate`() throws {
        let server = try ServedFolder("--tls", folder)
        let path = identity.url.appending(path: "certificate.pem")
        let before = try Data(contentsOf: path)
        #expect(server.end(by: SIGTERM) == 0)
        try server.start()
        #expect(try Data(contentsOf: path) == before)
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/key.pem")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a client that speaks plainly is turned away, and hinders nobody`() throws {
        let server = try ServedFolder("--tls", folder)
        let answer = try server.shell(
            """
            curl --silent --max-time 10 $url/dav/; test $? -ne 0 || exit 1
            curl --silent --show-error --fail --cacert "$trusted" \\
                --request PROPFIND --header "Depth: 0" https://${url#*//}/dav/
            """, environment: trust)
        #expect(answer.code == 0, "\(answer.errors)")
    }

    @Test(arguments: [
        (["certificate.pem"], "cannot read the certificate in"),
        (["key.pem"], "cannot read the certificate in"),
    ])
    func `an identity that cannot be read is an error with a remedy`(
        files: [String], message: String
    ) throws {
        for file in files { try Data("text".utf8).write(to: identity.url.appending(path: file)) }
        let answer = try Self.refusal(tls: folder)
        #expect(answer.code == 2)
        #expect(answer.errors.contains(message), "\(answer.errors)")
        #expect(answer.errors.contains("name a folder of its own"), "\(answer.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == files)
    }

    @Test func `a folder that is not there is an error with a remedy`() throws {
        let answer = try Self.refusal(tls: folder + "/nowhere")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("there is no folder “\(folder)/nowhere”"))
    }

    private static func refusal(tls: String) throws -> Program.Answer {
        let docroot = try TemporaryFolder()
        return try Program.run(["serve", "--docroot", ".", "--tls", tls], in: docroot.url)
    }
}
