/// A decimal number, exactly as written: `1.25` is 125 hundredths.
struct DecimalNumber: Hashable {
    private let digits: UInt64
    private let places: Int

    /// `nil` unless the text has digits with at most one point between them, 18 digits in all.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return nil }
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let all = parts.joined()
        guard all.utf8.count <= 18, let digits = UInt64(all) else { return nil }
        self.digits = digits
        places = parts.count == 2 ? parts[1].utf8.count : 0
    }

    enum Product: Hashable {
        case whole(UInt64)
        /// Between this whole number and the next.
        case broken(above: UInt64)
        case tooLarge
    }

    func times(_ factor: UInt64) -> Product {
        let product = digits.multipliedFullWidth(by: factor)
        guard product.high < Self.powerOfTen(places) else { return .tooLarge }
        let (quotient, remainder) = Self.powerOfTen(places)
            .dividingFullWidth((product.high, product.low))
        return remainder == 0 ? .whole(quotient) : .broken(above: quotient)
    }

    /// The value, correctly rounded up to 15 digits; for probabilities, which are rounded anyway.
    var rounded: Double { Double(digits) / Double(Self.powerOfTen(places)) }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
