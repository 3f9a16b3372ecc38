import LinkModels
import Quantities
import RunPlan

/// The key `nat` of a link: an address translator that forgets idle connections.
enum TranslatorKeys {
    static let about =
        "a network address translator on the way, which forgets idle connections"

    static var shape: Shape { keys.shape }

    static func read(_ node: YAMLNode) -> TranslatorPlan {
        var plan = TranslatorPlan(forgetsAfter: .zero)
        keys.read(node, into: &plan)
        return plan
    }

    private static let keys = KeyTable<TranslatorPlan>(
        name: "“nat”",
        keys: [
            .required(
                "forgets-after", .time, "how long a connection may be silent", example: "30 s"
            ) {
                node, plan in
                let silence = node.text(expected: Measure.time.expectation)?
                    .time(expected: "a time above 0 s, such as 30 s") {
                        $0 > .zero
                            ? nil : "a translator that forgets at once lets no packet through"
                    }
                plan.forgetsAfter = silence ?? plan.forgetsAfter
            },
            .onOff(
                "resets",
                "whether a packet of a forgotten connection is answered by a reset; the default "
                    + "is off",
                \.resets),
            .optional(
                "counts", .choice(of: Counted.self),
                "what keeps a connection from being silent: `all` packets, which is the default, "
                    + "or only `payload`, as in many proxies: neither keep-alives nor bare "
                    + "acknowledgements"
            ) { node, plan in
                let counted: Counted? = node.choice(complaint: "what it counts cannot be")
                plan.countsOnlyPayload = counted == .payload
            },
        ])

    private enum Counted: String, CaseIterable { case all, payload }
}

extension InterfacePlan {
    /// A sentence about the translator, if it forgets.
    var translatorSentence: String? {
        guard let translator else { return nil }
        let way = uplink.name.split(separator: "/").dropLast().joined(separator: "/")
        let payload = translator.countsOnlyPayload ? " without payload" : " of silence"
        return "A translator of addresses on the way\(way.isEmpty ? "" : " of \(way)") forgets a "
            + "connection after \(translator.forgetsAfter)\(payload), and "
            + (translator.resets ? "resets who goes on." : "tells nobody.")
    }
}
