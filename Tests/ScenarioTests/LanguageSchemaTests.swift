import Foundation
import Scenario
import Testing

/// What the schema tells people in their editors.
@Suite struct LanguageSchemaTests {
    @Test(arguments: [LanguageSchema.scenario, .faults])
    func `every key has a line about it, without a capital and a full stop`(
        schema: LanguageSchema
    ) throws {
        let root = try JSONSerialization.jsonObject(with: Data(schema.text.utf8))
        var count = 0
        visit(root) { properties in
            for name in properties.keys.sorted() {
                let key = properties[name] as? [String: Any]
                let about = key?["description"] as? String ?? ""
                #expect(about.count > 5 && about.last != ".", "\(name): “\(about)”")
                #expect(about.first?.isUppercase == false, "\(name): “\(about)”")
                count += 1
            }
        }
        #expect(count > 12)
    }

    /// Everything under a key `properties`.
    private func visit(_ node: Any, _ look: ([String: Any]) -> Void) {
        if let items = node as? [Any] { for item in items { visit(item, look) } }
        guard let object = node as? [String: Any] else { return }
        for name in object.keys.sorted() {
            if name == "properties", let properties = object[name] as? [String: Any] {
                look(properties)
                for key in properties.keys.sorted() { visit(properties[key] ?? 0, look) }
            } else {
                visit(object[name] ?? 0, look)
            }
        }
    }

    @Test func `what an editor offers as an expectation is one`() throws {
        let root = try JSONSerialization.jsonObject(with: Data(LanguageSchema.scenario.text.utf8))
        let keys = (root as? [String: Any])?["properties"] as? [String: Any]
        let expect = (keys?["expect"] as? [String: Any])?["items"] as? [String: Any]
        let examples = try #require(expect?["examples"] as? [String])
        #expect(examples.contains("session 1 completes within 30 s"))
        for example in examples {
            let whole = ValidScenario.text(with: 20, replacedBy: nil)
            let text =
                ValidScenario.onTwoNetworks(whole)
                .replacing("session 1 completes within 30 s", with: example)
                + "operations: [{ upload: video.mov, to: in/operation.mov }]\n"
                + "accounts: { busy: films }\n"
                + "server: { faults: { busy: { do: reset } } }\n"
                + "resumable: [{ upload: video.mov, to: video.mov, bucket: films }]\n"
                + "background: [{ upload: video.mov, to: in/task.mov, session: busy }]\n"
                + "flows:\n"
                + "  probe: { from: phone, interface: wifi, for: 30 s }\n"
                + "  rival: { from: phone, interface: wifi, for: 30 s }\n"
            #expect(ValidScenario.diagnostics(of: text) == [], "\(example)")
        }
    }
}
