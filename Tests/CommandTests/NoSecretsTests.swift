import Foundation
import Testing

/// What a run leaves can be shown to anybody: a signed address is as good as a password until it
/// expires.
@Suite struct NoSecretsTests {
    @Test func `neither a log nor a report holds the signature of an address`() throws {
        let desk = try Desk()
        let scenario =
            Desk.houseScenarios + "/operations/retried-around-its-tokens-end.yaml"
        let answer = try desk.lab("run", scenario, "--report", "out")
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
        let files = try #require(
            FileManager.default.enumerator(at: desk.url, includingPropertiesForKeys: nil))
        var seen = 0
        for case let file as URL in files {
            guard let content = try? Data(contentsOf: file) else { continue }
            seen += content.range(of: Data("/once/in/b.bin".utf8)) == nil ? 0 : 1
            let signature = content.range(of: Data("signature=".utf8))
            #expect(signature == nil, "\(file.lastPathComponent)")
        }
        #expect(seen > 1, "the log and the report tell of the refused request")
    }
}
