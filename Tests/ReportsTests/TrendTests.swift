import Reports
import Testing

/// The steps of figures over builds, and their page.
@Suite struct TrendTests {
    @Test func `a simulated figure steps with every change, also over a gap`() {
        #expect(TrendTable.exactSteps(in: [1, 1, 2, nil, 2, 1, nil]) == [2, 5])
        #expect(TrendTable.exactSteps(in: [nil, nil, 3]).isEmpty)
    }

    @Test func `a measured figure steps when it leaves its range and stays there`() {
        let noise: [Double?] = [100, 103, 98, 101, 99, 104]
        #expect(TrendTable.measuredSteps(in: noise).isEmpty)
        // One slow build is no step.
        #expect(TrendTable.measuredSteps(in: noise + [150, 101, 100]).isEmpty)
        #expect(TrendTable.measuredSteps(in: noise + [150, 149, 152]) == [6])
        #expect(TrendTable.measuredSteps(in: noise + [70, 71, 70, 72, 101, 100]) == [6, 10])
        // Three builds say too little about the range.
        #expect(TrendTable.measuredSteps(in: [100, 101, 150, 151]).isEmpty)
    }

    @Test func `what has changed is drawn with its steps, and the rest is listed`() {
        let values = [10.0, 10, 12].map { TrendTable.Value(number: $0, words: "\($0) s") }
        let table = TrendTable(
            builds: ["a1", "b2", "c3"].map { .init(name: $0, date: "2026-11-27") },
            rows: [
                .init(subject: "slower <b>", figure: "completion", values: values, steps: [2]),
                .init(
                    subject: "steady", figure: "completion", values: [nil, values[0]], steps: []),
            ])
        let page = TrendPage.document(for: table, by: nil)
        #expect(page.contains("<h1>1 of 2 figures changed in 3 builds</h1>"))
        #expect(page.contains("c3: 10.0 s to 12.0 s (+20.0 %)"))
        #expect(page.contains("slower &lt;b&gt;"))
        #expect(page.contains("points=\"4.0,32.0 100.0,32.0 196.0,4.0\""))
        #expect(page.contains("<circle cx=\"196.0\" cy=\"4.0\""))
        #expect(page.contains("1 figure without a step") && page.contains("steady"))
    }
}
