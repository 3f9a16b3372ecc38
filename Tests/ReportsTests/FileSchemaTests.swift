import Foundation
import Quantities
import Testing

@testable import Reports

/// A schema follows from the type that is written, whatever it asks its decoder for.
@Suite struct FileSchemaTests {
    private struct Sample: Codable {
        var format: String
        var count: Int
        var size: ByteCount
        var at: Instant?
        var words: [Word]
        var table: [String: [Double]]
        var gaps: [UInt64?]
        var part: Part
        var others: [Part]
        var outcome: Outcome
        var mixed: Mixed

        enum Word: String, Codable, CaseIterable { case green, red }

        struct Part: Codable { var isGood: Bool }

        enum Outcome: Codable {
            case none
            case some(Part, after: TimeSpan)

            private enum CodingKeys: String, CodingKey, CaseIterable { case none, some }
        }

        /// A number, or else a text.
        enum Mixed: Codable {
            case number(UInt64)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(UInt64.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }

            func encode(to encoder: any Encoder) throws {}
        }
    }

    private static let object = ShapeBook().whole(of: Sample.self)

    private static func shape(of name: String) throws -> JSONShape.Property {
        guard case .object(let properties) = object else {
            preconditionFailure("\(object) is no object")
        }
        return try #require(properties.first { $0.name == name })
    }

    private static let part = JSONShape.named("FileSchemaTests.Sample.Part")

    private static let shapes: [(String, JSONShape)] = [
        ("format", .text), ("count", .whole(isSigned: true)), ("size", .quantity(unit: "bytes")),
        ("words", .list(.words(["green", "red"]))), ("table", .map(.list(.number))),
        ("gaps", .list(.orNull(.whole(isSigned: false)))), ("part", part), ("others", .list(part)),
        ("mixed", .either([.whole(isSigned: false), .text])),
    ]

    @Test(arguments: shapes)
    func `each property has its shape`(name: String, shape: JSONShape) throws {
        let property = try Self.shape(of: name)
        #expect(property.shape == shape && property.isRequired)
    }

    @Test func `what is decoded only if present is not required`() throws {
        let property = try Self.shape(of: "at")
        #expect(!property.isRequired)
        #expect(property.shape == .quantity(unit: "nanoseconds since the run began"))
    }

    @Test func `an enum with values is one of its cases`() throws {
        func only(_ name: String, _ values: [JSONShape.Property]) -> JSONShape {
            .object([.init(name: name, isRequired: true, shape: .object(values))])
        }
        let some: [JSONShape.Property] = [
            .init(name: "_0", isRequired: true, shape: Self.part),
            .init(name: "after", isRequired: true, shape: .quantity(unit: "nanoseconds")),
        ]
        let property = try Self.shape(of: "outcome")
        #expect(property.shape == .either([only("none", []), only("some", some)]))
    }

    @Test func `the text allows no other keys, and only files of its format`() throws {
        let schema = FileSchema(
            "sample", "a sample", format: "sample/3 (in words)", of: Sample.self)
        let whole = try JSONSerialization.jsonObject(with: Data(schema.text.utf8))
        let keywords = try #require(whole as? [String: Any])
        #expect(keywords["additionalProperties"] as? Bool == false)
        #expect(keywords["title"] as? String == "a sample")
        let properties = try #require(keywords["properties"] as? [String: [String: Any]])
        #expect(properties["format"]?["pattern"] as? String == "^sample/3( |$)")
        #expect(properties["part"]?["$ref"] as? String == "#/$defs/FileSchemaTests.Sample.Part")
        let definitions = try #require(keywords["$defs"] as? [String: Any])
        #expect(Array(definitions.keys) == ["FileSchemaTests.Sample.Part"])
    }
}
