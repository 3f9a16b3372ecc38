/// Base64 with padding (RFC 4648 §4) for the values of Upload-Metadata, without Foundation.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < group.count ? Int(group[start + index]) : 0)
            }
            for index in 0..<4 {
                let isPadding = index > group.count
                text.append(
                    isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` if the text is not Base64.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard symbols.count % 4 == 0 else { return nil }
        let padding = symbols.suffix(2).count { $0 == UInt8(ascii: "=") }
        var bytes: [UInt8] = []
        var bits = 0
        var held = 0
        for symbol in symbols.dropLast(padding) {
            guard let value = alphabet.firstIndex(of: symbol) else { return nil }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
                bits &= (1 << held) - 1
            }
        }
        return bytes
    }
}
