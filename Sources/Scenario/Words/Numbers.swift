import Quantities

/// Reads percentages, counts, and queue limits in bytes or packets.
extension PlacedText {
    func probability() -> Probability? {
        let expectation = "a percentage such as 2 % or 0.02 %"
        guard let (written, unit) = numberAndUnit(expectation) else { return nil }
        guard unit == "%" else {
            return refuse(
                unit.isEmpty ? "“\(text)” has no unit" : "“\(unit)” is not a percent sign",
                expected: expectation, suggestion: percentages(meantBy: written, unit: unit))
        }
        guard let number = DecimalNumber(written) else {
            return refuseNumber(written, unit: unit, expectation)
        }
        return Probability(percent: number.rounded)
            ?? refuse("“\(text)” is out of range", expected: "at most 100 %")
    }

    /// Suggests two percentages for a bare number below one, which may be a share.
    private func percentages(meantBy written: String, unit: String) -> String {
        guard unit.isEmpty, let share = DecimalNumber(written)?.rounded, share > 0, share < 1,
            let chance = Probability(percent: share * 100)
        else { return "“\(written) %”" }
        return "“\(chance)” or “\(written) %”"
    }

    /// Reads a whole number without a unit.
    func count(_ expectation: String) -> UInt64? {
        if text.hasPrefix("-") {
            return refuse("“\(text)” is negative", expected: expectation)
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return refuse("“\(text)” is not a whole number", expected: expectation)
        }
        return UInt64(text) ?? refuse("“\(text)” is out of range", expected: "at most 2⁶⁴ − 1")
    }

    /// Reads a whole number within a range.
    func count(
        in range: some RangeExpression<UInt64>, _ expectation: String,
        _ complaint: ((UInt64) -> String)? = nil
    ) -> UInt64? {
        checked(count(expectation), expected: expectation) { number in
            if range.contains(number) { return nil }
            return complaint?(number) ?? "“\(text)” is out of range"
        }
    }

    /// Makes a range that ends with these words.
    func range(from first: UInt64, to last: UInt64) -> ClosedRange<UInt64>? {
        guard first <= last else {
            return refuse("\(last) comes before \(first)", expected: "the lower number first")
        }
        return first...last
    }

    /// Reads `50 kB`, or `33 packets` that fill an Ethernet frame.
    func queueLimit() -> ByteCount? {
        let isInPackets = text.hasSuffix(" packets") || text.hasSuffix(" packet")
        return checked(
            isInPackets ? packets() : size(),
            expected: "at least \(LinkDraft.packetSize), one full packet"
        ) { $0 < LinkDraft.packetSize ? "no packet fits into a queue of \($0)" : nil }
    }

    private func packets() -> ByteCount? {
        let number = saying(text.split(separator: " ").dropLast().joined(separator: " "))
        guard let packets = number.count("a number of packets such as 33 packets") else {
            return nil
        }
        guard packets <= Measure.size.largest / LinkDraft.packetSize.bytes else {
            return refuse(
                "“\(text)” is out of range",
                expected: "at most \(Measure.size.largestInWords) in all")
        }
        return ByteCount(packets * LinkDraft.packetSize.bytes)
    }
}

extension YAMLNode {
    func chance(_ expectation: String = "a percentage such as 2 %") -> Probability? {
        text(expected: expectation)?.probability()
    }

    func count(_ expectation: String) -> UInt64? {
        text(expected: expectation)?.count(expectation)
    }

    /// Reads a whole number within a range.
    func count(
        in range: some RangeExpression<UInt64>, _ expectation: String,
        _ complaint: ((UInt64) -> String)? = nil
    ) -> UInt64? {
        text(expected: expectation)?.count(in: range, expectation, complaint)
    }
}
