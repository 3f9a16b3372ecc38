import Protocols
import Quantities
import Testing

/// RFC 9110 §14: what a Range field asks for.
@Suite struct ByteRangesTests {
    static let size = ByteCount(100)

    static let satisfiable: [(field: String, parts: [(UInt64, UInt64)])] = [
        ("bytes=0-9", [(0, 10)]), ("bytes=90-", [(90, 10)]), ("bytes=-10", [(90, 10)]),
        ("bytes=-1000", [(0, 100)]), ("bytes=50-1000", [(50, 50)]), ("Bytes=0-0", [(0, 1)]),
        ("bytes=0-1,98-,200-", [(0, 2), (98, 2)]), ("bytes= 1-2 , 3-4", [(1, 2), (3, 2)]),
    ]

    @Test(arguments: satisfiable) func `parts that are there are answered`(
        field: String, parts: [(UInt64, UInt64)]
    ) {
        let expected = parts.map {
            ByteRanges.Part(offset: ByteCount($0.0), length: ByteCount($0.1))
        }
        #expect(ByteRanges(parsing: field, size: Self.size) == .parts(expected))
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0"])
    func `what lies behind the end cannot be satisfied`(field: String) {
        #expect(ByteRanges(parsing: field, size: Self.size) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "items=0-9", "bytes=9-0", "bytes=a-b", "bytes=1", "bytes=--1",
        "bytes=1-2-3", "bytes=0-9;10-19", "bytes=99999999999999999999-",
        "bytes=" + Array(repeating: "0-0", count: 17).joined(separator: ","),
    ])
    func `what is no range, or too many, asks for the whole`(field: String) {
        #expect(ByteRanges(parsing: field, size: Self.size) == .whole)
    }

    @Test func `an empty body has no part that could be asked for`() {
        #expect(ByteRanges(parsing: "bytes=0-", size: .zero) == .unsatisfiable)
    }
}
