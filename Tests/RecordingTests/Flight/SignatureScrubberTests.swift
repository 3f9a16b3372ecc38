import Testing

@testable import Recording

/// Flights without the signatures of addresses.
@Suite struct SignatureScrubberTests {
    private let text = "Location: /once/a?expires=9&signature=0a9f\r\nDate: signature=ok"
    private let blank = "Location: /once/a?expires=9&signature=xxxx\r\nDate: signature=ok"

    @Test(arguments: 0...60) func `a signature is blanked wherever it is cut`(cut: Int) {
        var scrubber = SignatureScrubber()
        let bytes = Array(text.utf8)
        let scrubbed =
            scrubber.scrub(Array(bytes[..<cut])) + scrubber.scrub(Array(bytes[cut...]))
        #expect(String(decoding: scrubbed, as: UTF8.self) == blank)
    }

    @Test func `what is blank stays so`() {
        var scrubber = SignatureScrubber()
        let scrubbed = scrubber.scrub(Array(blank.utf8))
        #expect(String(decoding: scrubbed, as: UTF8.self) == blank)
    }
}
