import LinkModels
import Quantities
import RunLog
import RunPlan

/// The key `names` of the server: phones ask for its addresses, and may find several.
enum NameKeys {
    static var shape: Shape { keys.shape }

    static func read(_ node: YAMLNode, over interfaces: [InterfacePlan]) -> NamePlan? {
        var plan = NamePlan()
        let known = node.mistakes.count
        keys.read(node, into: &plan)
        guard node.mistakes.count == known else { return nil }
        let usesIPv6 = plan.addresses.contains(.ipv6)
        if plan.ipv6 != .open, !usesIPv6 {
            return node.refuse(
                "the server has no IPv6 address that could be “\(plan.ipv6.rawValue)”",
                expected: "addresses: [ipv6, ipv4]")
        }
        let links = interfaces.flatMap { [$0.uplink, $0.downlink] }
        let small = links.flatMap(\.sizeLimits).first {
            $0.told != .never && $0.size < leastPacketOfIPv6
        }
        if let small, usesIPv6 {
            return node.refuse(
                "IPv6 over a link whose largest packet has \(small.size.bytes) B",
                expected: "an mtu of at least \(leastPacketOfIPv6.bytes) B (RFC 8200 §5), or "
                    + "addresses: [ipv4]")
        }
        return plan
    }

    private static let leastPacketOfIPv6 = ByteCount(1280)

    private static let keys = KeyTable<NamePlan>(
        name: "“names”",
        keys: [
            .optional(
                "answer", .time,
                "how long the resolver of a phone's network takes, besides the way to it; the "
                    + "default is 20 ms", example: "40 ms", \.answer, read: DelayKeys.delay),
            .optional(
                "keep", .time,
                "how long a phone may use an answer, its time to live; the default is 300 s",
                example: "60 s", \.keep, read: DelayKeys.delay),
            .optional(
                "addresses", .list(of: .choice(of: AddressFamily.self)),
                "the families in which the server has an address; the default is `[ipv4]`. Phones "
                    + "ask for both and try IPv6 first (RFC 8305)", example: "[ipv6, ipv4]",
                \.addresses, read: addresses),
            .choice(
                "ipv6",
                "what becomes of connections to the IPv6 address: `open` is the default, `refused` "
                    + "resets them, and from a `black hole` nothing comes back",
                complaint: "connections over IPv6 cannot be", \.ipv6),
            .optional(
                "fails", failure.shape, "a time in which the resolver does not do its work",
                example: "{ when: 0 s to 8 s, with: not found }", \.failure, read: readFailure),
        ])

    private static func addresses(_ node: YAMLNode) -> [AddressFamily]? {
        guard let items = node.items(expected: "a list such as [ipv6, ipv4]") else { return nil }
        let families = items.compactMap { item -> AddressFamily? in
            item.choice(complaint: "addresses cannot be of")
        }
        guard families.count == items.count else { return nil }
        guard !families.isEmpty, Set(families).count == families.count else {
            return node.refuse(
                families.isEmpty ? "no address at all" : "a family is given twice",
                expected: "one of [ipv6, ipv4], [ipv6] and [ipv4]")
        }
        return AddressFamily.allCases.filter(families.contains)
    }

    private static let failure = KeyTable<NamePlan.Failure>(
        name: "“fails”",
        keys: [
            .required(
                "when", RateKeys.windowShape, "from when to when", example: "0 s to 8 s"
            ) { node, failure in
                guard let window = RateKeys.window(node) else { return }
                failure.from = .start + window.from
                failure.until = .start + window.to
            },
            .choice(
                "with",
                "what it does: `no answer` is the default, `not found` says that there is no such "
                    + "name (NXDOMAIN), `server failure` that it could not find out (SERVFAIL)",
                complaint: "a resolver cannot fail with", \.kind),
        ])

    private static func readFailure(_ node: YAMLNode) -> NamePlan.Failure? {
        var plan = NamePlan.Failure(from: .start, until: .start)
        failure.read(node, into: &plan)
        return plan.from < plan.until ? plan : nil
    }
}

extension NamePlan {
    /// The plan in plain words.
    var sentences: [String] {
        let families = addresses.map { "an \($0.name)" }.joined(separator: " and ") + " address"
        var sentences = [
            "Phones ask for the server's address: the resolver takes \(answer), an answer may be "
                + "used for \(keep), and the server has \(families)."
        ]
        switch ipv6 {
        case .open: break
        case .refused: sentences.append("Connections to the IPv6 address are refused.")
        case .blackHole: sentences.append("From the IPv6 address nothing ever comes back.")
        }
        if let failure {
            let deed =
                switch failure.kind {
                case .silence: "does not answer"
                case .notFound: "says that there is no such name"
                case .serverFailure: "says that it has failed"
                }
            sentences.append(
                "From \(failure.from.sinceStart) to \(failure.until.sinceStart) the resolver "
                    + "\(deed).")
        }
        return sentences
    }
}
