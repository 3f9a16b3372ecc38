import Protocols
import Quantities
import Testing

@Suite struct KiiUploadAnswerTests {
    @Test(
        arguments: [
            #"{"uploadID":"7","receivedBytes":50}"#, #"{ "receivedBytes": 50, "uploadID": "7" }"#,
            #"{"uploadID":  7,"receivedBytes":"50"}"#,
        ])
    func `an answer is read however it is written`(text: String) throws {
        let answer = try KiiUploadAnswer(parsing: Array(text.utf8))
        #expect(answer.upload == 7)
        #expect(answer.received == ByteCount(50))
    }

    @Test func `an answer that names no upload is none`() {
        #expect(throws: HTTPError.self) {
            try KiiUploadAnswer(parsing: Array(#"{"receivedBytes":50}"#.utf8))
        }
    }
}
