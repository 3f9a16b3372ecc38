package import Foundation

/// `run.json`: the report model, sorted and indented, so that two files can be compared line by
/// line.
package enum RunJSON {
    package struct Unreadable: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    package static func data(for model: ReportModel) -> Data {
        Data((text(model, pretty: true) + "\n").utf8)
    }

    package static func model(from data: Data) throws(Unreadable) -> ReportModel {
        do {
            let form = try JSONDecoder().decode(Form.self, from: data).format
            let known = ReportModel.currentFormat.prefix { $0 != " " }
            guard form.prefix(while: { $0 != " " }) == known else {
                throw Unreadable(description: "its format is “\(form)”, not “\(known)”")
            }
            return try JSONDecoder().decode(ReportModel.self, from: data)
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(description: JSONMistake(error, in: data).description)
        }
    }

    private struct Form: Decodable { var format: String }

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
