import LinkModels
import Quantities
import RunPlan

/// The key `nat` of a link: an address translator that forgets idle connections.
enum TranslatorKeys {
    static let about =
        "a network address translator on the way, which forgets idle connections"

    static var shape: Shape { keys.shape }

    static func read(_ node: YAMLNode, mistakes: inout Mistakes) -> TranslatorPlan {
        var plan = TranslatorPlan(forgetsAfter: .zero)
        keys.read(node, into: &plan, mistakes: &mistakes)
        return plan
    }

    private static let keys = KeyTable<TranslatorPlan>(
        name: "“nat”",
        keys: [
            .required(
                "forgets-after", .time, "how long a connection may be silent", example: "30 s",
                read: readSilence),
            .optional(
                "resets", .onOff,
                "whether a packet of a forgotten connection is answered by a reset; the default "
                    + "is off"
            ) { node, plan, mistakes in
                plan.resets = mistakes.isOn(node) ?? plan.resets
            },
        ])

    private static func readSilence(
        _ node: YAMLNode, plan: inout TranslatorPlan, mistakes: inout Mistakes
    ) {
        guard let words = mistakes.text(of: node, expected: Measure.time.expectation),
            let silence = mistakes.time(words)
        else { return }
        guard silence > .zero else {
            return mistakes.add(
                "a translator that forgets at once lets no packet through", at: words.place,
                expected: "a time above 0 s, such as 30 s")
        }
        plan.forgetsAfter = silence
    }
}

extension InterfacePlan {
    /// A sentence about the translator, if it forgets.
    var translatorSentence: String? {
        guard let translator else { return nil }
        let way = uplink.name.split(separator: "/").dropLast().joined(separator: "/")
        return "A translator of addresses on the way\(way.isEmpty ? "" : " of \(way)") forgets a "
            + "connection after \(translator.forgetsAfter) of silence, and "
            + (translator.resets ? "resets who goes on." : "tells nobody.")
    }
}
