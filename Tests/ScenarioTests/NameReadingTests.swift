import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// The key `names` of the server.
@Suite struct NameReadingTests {
    private static func text(_ names: String) -> String {
        ValidScenario.text + "\nserver: { names: \(names) }\n"
    }

    private static func read(_ names: String) throws -> Scenario {
        try Scenario.read(text: text(names), path: "x.yaml")
    }

    @Test func `without it nobody asks for an address`() throws {
        let scenario = try Scenario.read(text: ValidScenario.text, path: "x.yaml")
        #expect(scenario.plan().names == nil)
    }

    @Test func `each part has a default`() throws {
        let scenario = try Self.read("{ keep: 300 s }")
        #expect(scenario.plan().names == NamePlan())
        #expect(
            scenario.sentences.contains(
                "Phones ask for the server's address: the resolver takes 20 ms, an answer may be "
                    + "used for 5 min, and the server has an IPv4 address."))
    }

    @Test func `all of it can be said`() throws {
        let scenario = try Self.read(
            "{ answer: 40 ms, keep: 60 s, addresses: [ipv4, ipv6], ipv6: black hole, "
                + "fails: { when: 2 s to 9 s, with: not found } }")
        var plan = NamePlan()
        plan.answer = .milliseconds(40)
        plan.keep = .seconds(60)
        plan.addresses = [.ipv6, .ipv4]
        plan.ipv6 = .blackHole
        plan.failure = .init(
            from: .start + .seconds(2), until: .start + .seconds(9), kind: .notFound)
        #expect(scenario.plan().names == plan)
        for sentence in [
            "Phones ask for the server's address: the resolver takes 40 ms, an answer may be used "
                + "for 60 s, and the server has an IPv6 and an IPv4 address.",
            "From the IPv6 address nothing ever comes back.",
            "From 2 s to 9 s the resolver says that there is no such name.",
        ] {
            #expect(scenario.sentences.contains(sentence), "\(scenario.sentences)")
        }
    }

    @Test(arguments: [
        ("{ addresses: [] }", "no address at all"),
        ("{ addresses: [ipv4, ipv4] }", "a family is given twice"),
        ("{ addresses: [ipv5] }", "addresses cannot be of “ipv5”"),
        ("{ ipv6: refused }", "the server has no IPv6 address that could be “refused”"),
        ("{ addresses: [ipv6], ipv6: closed }", "connections over IPv6 cannot be “closed”"),
        ("{ fails: { with: not found } }", "“fails” needs the key “when”"),
        ("{ fails: { when: 9 s to 2 s } }", "“9 s to 2 s” ends before it begins"),
        (
            "{ fails: { when: 0 s to 2 s, with: silence } }",
            "a resolver cannot fail with “silence”"
        ),
        ("{ answer: 40 }", "“40” has no unit"),
    ])
    func `slips are pointed out`(names: String, message: String) {
        let found = ValidScenario.diagnostics(of: Self.text(names))
        #expect(found.contains { $0.message == message }, "\(found)")
    }

    /// RFC 8200 §5: every link of IPv6 carries packets of 1280 bytes. A link that loses them
    /// without a word is a fault, which may be played.
    @Test(arguments: [
        ("1279 B", false), ("{ size: 1000 B, told: by-router }", false), ("1280 B", true),
        ("{ size: 1000 B, told: never }", true),
    ])
    func `IPv6 needs links that carry its packets`(mtu: String, isValid: Bool) {
        func text(_ addresses: String) -> String {
            """
            name: small packets
            why: IPv6 has a smallest MTU
            links:
              uplink: { rate: 8 Mbit/s, delay: 20 ms }
              downlink: { rate: 8 Mbit/s, delay: 20 ms, mtu: \(mtu) }
            server: { names: { addresses: \(addresses) } }
            files: { a.txt: 2 kB }
            queue: [{ upload: a.txt, to: in/a.txt }]
            """
        }
        let messages = ValidScenario.diagnostics(of: text("[ipv6, ipv4]")).map(\.message)
        let size = mtu.contains("1000") ? "1000 B" : "1279 B"
        #expect(
            messages == (isValid ? [] : ["IPv6 over a link whose largest packet has \(size)"]))
        #expect(ValidScenario.diagnostics(of: text("[ipv4]")).isEmpty)
    }
}
