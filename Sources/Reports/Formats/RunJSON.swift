package import Foundation

/// `run.json`: the report model, sorted and indented, so that two files can be compared line by
/// line. A list of numbers is one line.
package enum RunJSON {
    package static func data(for model: ReportModel) -> Data {
        Data(withListsInLines(Array(text(model, pretty: true).utf8)) + [UInt8(ascii: "\n")])
    }

    /// Puts each list of numbers on one line. A line break cannot be within a string, so `[` before
    /// one begins a list.
    private static func withListsInLines(_ text: [UInt8]) -> [UInt8] {
        var shorter: [UInt8] = []
        shorter.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let rest = text[(place + 1)...]
            shorter.append(text[place])
            place += 1
            guard text[place - 1] == UInt8(ascii: "["), rest.first == UInt8(ascii: "\n") else {
                continue
            }
            let list = rest.prefix(while: isInList)
            guard rest.dropFirst(list.count).first == UInt8(ascii: "]") else { continue }
            shorter += list.filter { $0 > UInt8(ascii: " ") }
            place += list.count
        }
        return shorter
    }

    /// Whether a character occurs in a list of numbers and `null`.
    private static func isInList(_ character: UInt8) -> Bool {
        switch Unicode.Scalar(character) {
        case "0"..."9", "-", "+", ".", "e", "E", ",", " ", "\n", "n", "u", "l": true
        default: false
        }
    }

    package static func model(from data: Data) throws(JSONMistake) -> ReportModel {
        do {
            let form = try JSONDecoder().decode(Form.self, from: data).format
            let known = ReportModel.currentFormat.prefix { $0 != " " }
            guard form.prefix(while: { $0 != " " }) == known else {
                throw JSONMistake("its format is “\(form)”, not “\(known)”")
            }
            return try JSONDecoder().decode(ReportModel.self, from: data)
        } catch {
            throw JSONMistake(error, in: data)
        }
    }

    package static let schema = FileSchema(
        "run", "run.json: all data of a run's report", format: ReportModel.currentFormat,
        of: ReportModel.self)

    private struct Form: Decodable { var format: String }

    /// Returns the JSON of a command: the fields of `content`, and `format` with the name of the
    /// command.
    package static func data(of command: String, _ content: some Encodable) -> Data {
        let whole = Whole(format: "transferlab-\(command)/1", content: content)
        return file(whole)
    }

    /// Returns a file of JSON for people and programs: indented, with a line break at the end.
    static func file(_ value: some Encodable) -> Data {
        Data((text(value, pretty: true) + "\n").utf8)
    }

    private struct Whole<Content: Encodable>: Encodable {
        var format: String
        var content: Content

        private enum CodingKeys: CodingKey { case format }

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(format, forKey: .format)
        }
    }

    /// Returns JSON text with `<` escaped, so that it can be inside a script element of a page.
    package static func text(_ value: some Encodable, pretty: Bool) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            let text = String(decoding: try encoder.encode(value), as: UTF8.self)
            return pretty ? text : text.replacing("<", with: "\\u003c")
        } catch {
            preconditionFailure("a report cannot be encoded: \(error)")
        }
    }
}
