import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing

/// `for each`: one file that is several scenarios.
@Suite struct MatrixTests {
    private static let text = """
        name: an upload
        why: each controller has to get through on each line
        for each:
          controller: [cubic, bbr]
          profile: [apple-lte, wpt-2g]
          size: [1 MB, 20 kB]
        exclude: [{ size: 1 MB, profile: wpt-2g }]
        tcp: { controller: '${controller}' }
        links: { profile: '${profile}' }
        files: { video.mov: '${size}' }
        queue: [{ upload: video.mov, to: 'incoming/${controller}-${size}.mov' }]

        """

    private func cases(_ text: String) throws(ScenarioError) -> [Scenario] {
        try Scenario.cases(Array(text.utf8), path: "x.yaml")
    }

    private func mistakes(_ old: String, _ new: String) -> [Diagnostic] {
        do throws(ScenarioError) {
            _ = try cases(Self.text.replacing(old, with: new))
            return []
        } catch {
            return error.diagnostics
        }
    }

    @Test func `each combination is a case, with its name, but for those that are excluded`()
        throws
    {
        let cases = try cases(Self.text)
        #expect(
            cases.map(\.variant) == [
                "controller=cubic,profile=apple-lte,size=1 MB",
                "controller=cubic,profile=apple-lte,size=20 kB",
                "controller=cubic,profile=wpt-2g,size=20 kB",
                "controller=bbr,profile=apple-lte,size=1 MB",
                "controller=bbr,profile=apple-lte,size=20 kB",
                "controller=bbr,profile=wpt-2g,size=20 kB",
            ])
        #expect(
            cases[0].name == "an upload [controller=cubic, profile=apple-lte, size=1 MB]")
        #expect(cases.map(\.tcp.controller) == [.cubic, .cubic, .cubic, .bbr, .bbr, .bbr])
        #expect(cases[1].sessions[0].uploads[0].destination == "incoming/cubic-20 kB.mov")
        #expect(cases[2].files[0].size.bytes == 20_000)
    }

    @Test func `a case is read again by its name`() throws {
        let last = try cases(Self.text)[5]
        let again = try Scenario.read(text: last.text, path: "x.yaml", variant: last.variant)
        #expect(again.name == last.name && again.plan() == last.plan())
    }

    typealias Row = (old: String, new: String, at: String, message: String)
    static let rows: [Row] = [
        ("bbr]", "bbq]", "4:23", "there is no controller “bbq”"),
        (
            "[apple-lte, wpt-2g]", "[apple-lte, wpt-2h, wpt-2g]", "5:24",
            "there is no link profile “wpt-2h”"
        ),
        ("${profile}", "${profil}", "9:19", "there are no values for “profil”"),
        ("[cubic, bbr]", "cubic", "4:15", "a single value where a list is needed"),
        ("[cubic, bbr]", "[]", "4:15", "a list without a value"),
        ("[cubic, bbr]", "[cubic, cubic]", "4:23", "the value “cubic” is given twice"),
        ("[cubic, bbr]", "[cubic, 'a=b']", "4:24", "“a=b” cannot be a value of a case"),
        ("  controller: [", "  Who: [", "4:3", "“Who” is not a name for values"),
        ("size: 1 MB, p", "size: 2 MB, p", "7:11", "no case matches this"),
        (
            "[{ size: 1 MB, profile: wpt-2g }]", "[{ size: 1 MB }, { size: 20 kB }]", "7:27",
            "no case is left"
        ),
    ]

    @Test(arguments: rows)
    func `a mistake in a matrix has its place and its words`(row: Row) {
        let seen = mistakes(row.old, row.new)
        #expect(
            seen.first.map { "\($0.line):\($0.column) \($0.message)" }
                == "\(row.at) \(row.message)", "\(seen)")
    }

    @Test func `what all cases have in common is said once`() {
        let seen = mistakes("name: an upload\n", "")
        #expect(seen.map(\.message) == ["a scenario needs the key “name”"])
    }

    @Test func `values that nobody uses are said to be so`() {
        let text = Self.text.replacing("'${controller}'", with: "bbr")
            .replacing("${controller}-", with: "")
        do throws(ScenarioError) {
            _ = try cases(text)
            Issue.record("it was read")
        } catch {
            #expect(error.diagnostics.map(\.message) == ["“controller” is not used anywhere"])
        }
    }

    @Test func `too many combinations are refused before they are made`() {
        let values = (1...40).map { "\($0)" }.joined(separator: ", ")
        let seen = mistakes("size: [1 MB, 20 kB]", "size: [\(values)]\n  a: [\(values)]")
        #expect(seen.first?.message == "more than 1000 combinations", "\(seen)")
    }

    @Test func `without a matrix nothing stands for a value`() {
        let text = ValidScenario.text(with: 10, replacedBy: "  video.mov: ${size}")
        #expect(
            ValidScenario.diagnostics(of: text).map(\.message)
                == ["there are no values for “size”"])
        let alone = ValidScenario.text(with: 5, replacedBy: "exclude: [{ a: b }]")
        #expect(
            ValidScenario.diagnostics(of: alone).map(\.message)
                == ["there is nothing to leave out"])
    }
}
