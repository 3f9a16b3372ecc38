import Quantities

/// Reads percentages, counts, and queue limits in bytes or packets.
extension Mistakes {
    mutating func probability(_ words: PlacedText) -> Probability? {
        let expectation = "a percentage such as 2 % or 0.02 %"
        guard let (written, unit) = numberAndUnit(words, expectation) else { return nil }
        guard unit == "%" else {
            let message =
                unit.isEmpty ? "“\(words.text)” has no unit" : "“\(unit)” is not a percent sign"
            add(
                message, at: words.place, expected: expectation,
                suggestion: percentages(meantBy: written, unit: unit))
            return nil
        }
        guard let number = DecimalNumber(written) else {
            refuseNumber(written, unit: unit, at: words.place, expectation)
            return nil
        }
        guard let probability = Probability(percent: number.rounded) else {
            add("“\(words.text)” is out of range", at: words.place, expected: "at most 100 %")
            return nil
        }
        return probability
    }

    /// Suggests two percentages for a bare number below one, which may be a share.
    private func percentages(meantBy written: String, unit: String) -> String {
        guard unit.isEmpty, let share = DecimalNumber(written)?.rounded, share > 0, share < 1,
            let chance = Probability(percent: share * 100)
        else { return "“\(written) %”" }
        return "“\(chance)” or “\(written) %”"
    }

    /// Reads two numbers with “to” between them; `place` belongs to the second.
    mutating func range(
        from first: UInt64, to last: UInt64, at place: Place
    ) -> ClosedRange<UInt64>? {
        guard first <= last else {
            add("\(last) comes before \(first)", at: place, expected: "the lower number first")
            return nil
        }
        return first...last
    }

    /// Reads a whole number without a unit.
    mutating func count(_ words: PlacedText, _ expectation: String) -> UInt64? {
        if words.text.hasPrefix("-") {
            add("“\(words.text)” is negative", at: words.place, expected: expectation)
            return nil
        }
        let isNumber = words.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, !words.text.isEmpty else {
            add("“\(words.text)” is not a whole number", at: words.place, expected: expectation)
            return nil
        }
        guard let number = UInt64(words.text) else {
            add("“\(words.text)” is out of range", at: words.place, expected: "at most 2⁶⁴ − 1")
            return nil
        }
        return number
    }

    /// Reads `50 kB`, or `33 packets` that fill an Ethernet frame.
    mutating func queueLimit(_ words: PlacedText) -> ByteCount? {
        let isInPackets = words.text.hasSuffix(" packets") || words.text.hasSuffix(" packet")
        guard let limit = isInPackets ? packets(words) : size(words) else { return nil }
        guard limit >= LinkDraft.packetSize else {
            add(
                "no packet fits into a queue of \(limit)", at: words.place,
                expected: "at least \(LinkDraft.packetSize), one full packet")
            return nil
        }
        return limit
    }

    private mutating func packets(_ words: PlacedText) -> ByteCount? {
        let written = words.text.split(separator: " ").dropLast().joined(separator: " ")
        let number = PlacedText(text: written, place: words.place)
        guard let packets = count(number, "a number of packets such as 33 packets") else {
            return nil
        }
        guard packets <= Measure.size.largest / LinkDraft.packetSize.bytes else {
            add(
                "“\(words.text)” is out of range", at: words.place,
                expected: "at most \(Measure.size.largestInWords) in all")
            return nil
        }
        return ByteCount(packets * LinkDraft.packetSize.bytes)
    }
}
