/// Inputs and outputs as text, such as `received(1, [“HTTP/1.1 204 No Content”, …])`.
extension FlightValue {
    var text: String {
        switch self {
        case .nothing: "nothing"
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .negative(let number): "\(number)"
        case .text(let text): "“\(text)”"
        case .bytes(let bytes): Self.text(of: bytes)
        case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
        case .record(let fields): Self.text(of: fields)
        }
    }

    /// Returns a case with its values, the number behind a name, or all fields.
    private static func text(of fields: [Field]) -> String {
        if fields.count == 1, case .record(let inner) = fields[0].value {
            let isNumber = inner.count == 1 && inner[0].key == "_0"
            guard !inner.isEmpty else { return fields[0].key }
            return "\(fields[0].key)(\(isNumber ? inner[0].value.text : list(of: inner)))"
        }
        if fields.count == 1, fields[0].key == "number" { return fields[0].value.text }
        return "{\(list(of: fields))}"
    }

    private static func list(of fields: [Field]) -> String {
        fields.map { $0.key.hasPrefix("_") ? $0.value.text : "\($0.key): \($0.value.text)" }
            .joined(separator: ", ")
    }

    /// Returns the first line of readable text, or the number of bytes.
    private static func text(of bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self),
            let line = text.split(whereSeparator: \.isNewline).first,
            line.allSatisfy({ $0.isASCII && !$0.unicodeScalars.contains { $0.value < 32 } })
        else { return "\(bytes.count) B" }
        return "“\(line)”" + (line.utf8.count < bytes.count ? " … (\(bytes.count) B)" : "")
    }
}
