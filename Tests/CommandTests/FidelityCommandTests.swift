import Foundation
import Testing

/// The measuring stick as a user has it: his own folder of reports, and the quickest cell.
@Suite struct FidelityCommandTests {
    private static let cell = "reno-200ms-3%"
    private static let data = "Reports/baselines/fidelity.json"
    private static let page = "Reports/README.md"

    @Test func `0 where the worlds agree, 1 where they differ and nobody has said why`() throws {
        let desk = try Self.desk()
        let renewed = try desk.lab("fidelity", "--cells", Self.cell, "--renew")
        #expect(renewed.code == 1, "\(renewed.call): not measured, so the bar is missed")
        #expect(try desk.text(of: Self.page).contains("| \(Self.cell) "))

        try Self.measure(desk, factor: 1.05)
        let agreeing = try desk.lab("fidelity", "--cells", Self.cell)
        #expect(agreeing.code == 0 && agreeing.errors.isEmpty, "\(agreeing.call)")
        #expect(agreeing.output.contains("1 of 1 cells agree"), "\(agreeing.output)")

        try Self.measure(desk, factor: 2)
        let differing = try desk.lab("fidelity", "--cells", Self.cell)
        #expect(differing.code == 1 && differing.output.contains("off, without a reason"))
    }

    @Test func `1 where the simulator's figures are not those of the file, and how to renew them`()
        throws
    {
        let desk = try Self.desk()
        let stale = try desk.lab("fidelity", "--cells", Self.cell)
        #expect(stale.code == 1 && stale.errors.contains("./lab fidelity --renew"))
        #expect(!desk.holds(Self.data), "nothing is written that was not asked for")
        let figures = try desk.lab("fidelity", "--cells", Self.cell, "--json", "--renew")
        #expect(try desk.text(of: Self.data) == figures.output, "\(figures.call)")
    }

    @Test func `a trace tells what a simulated flow did over time`() throws {
        let desk = try Self.desk()
        _ = try desk.lab("fidelity", "--cells", Self.cell, "--trace", "traces")
        for pattern in 1...3 {
            let lines = try desk.text(of: "traces/\(Self.cell)-\(pattern)-simulated.csv")
                .split(separator: "\n")
            #expect(lines.first?.hasPrefix("seconds,acknowledged") == true)
            #expect(lines.count > 500 && lines[10].hasPrefix("1.0,"))
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func `measuring without the rights to it says what is needed`() throws {
        let desk = try Self.desk()
        let drop = getuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
        let answer = try desk.shell(
            "\(drop) \"$lab\" fidelity --measure --cells \(Self.cell) --jobs 1")
        #expect(answer.code == 2 && answer.output.isEmpty, "\(answer.call): \(answer.output)")
        #expect(answer.errors.contains("needs root and /dev/net/tun"), "\(answer.errors)")
    }

    @Test(.enabled(if: getuid() == 0 && access("/dev/net/tun", F_OK) == 0, "needs root and TUN"))
    func `an interrupted measurement ends at once, and says that it can go on`() throws {
        let desk = try Self.desk()
        let answer = try desk.shell(
            "timeout --preserve-status -s INT 2 \"$lab\" fidelity --measure --cells \(Self.cell)")
        #expect(answer.code == 2 && answer.output.isEmpty, "\(answer.call): \(answer.output)")
        #expect(answer.errors.contains("the measurement was interrupted"), "\(answer.errors)")
        #expect(answer.errors.contains("the same command continues"), "\(answer.errors)")
    }

    private static func desk() throws -> Desk {
        let desk = try Desk()
        try desk.write(
            """
            <!-- fidelity: begin, written by ./lab fidelity --renew -->
            <!-- fidelity: end -->

            """, to: page)
        return desk
    }

    /// Puts kernel figures into the file that are so many times those of the simulator.
    private static func measure(_ desk: Desk, factor: Double) throws {
        let object = try JSONSerialization.jsonObject(with: try desk.data(of: data))
        var document = try #require(object as? [String: Any])
        var cells = try #require(document["cells"] as? [[String: Any]])
        let flows = try #require(cells[0]["simulated"] as? [[String: Any]])
        cells[0]["kernel"] = try flows.enumerated().map { index, flow in
            var flow = flow
            let goodput = try #require(flow["goodputBitsPerSecond"] as? Int)
            flow["goodputBitsPerSecond"] = Int(Double(goodput) * factor)
            return [
                "pattern": index + 1, "figures": flow, "seconds": 100, "losses": 100,
                "dataPackets": 3_000, "probes": 0,
                "emulator": [
                    "packets": 4_000, "medianMicroseconds": 20, "percentile99Microseconds": 90,
                    "percentile999Microseconds": 400, "longestMicroseconds": 900,
                    "latePackets": 0, "lostPackets": 0,
                ],
            ]
        }
        document["cells"] = cells
        let text = try JSONSerialization.data(
            withJSONObject: document, options: [.prettyPrinted, .sortedKeys])
        try desk.write(String(decoding: text, as: UTF8.self), to: data)
    }
}
