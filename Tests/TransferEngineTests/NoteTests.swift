import Protocols
import Testing
import TransferEngine

/// What the engine notes for a log.
@Suite struct NoteTests {
    @Test func `a query, which may be a signature, is not noted`() {
        let fact = Fact.request(
            HTTPRequestHead("GET", "/film.mov?signature=abc"), on: ConnectionID(3))
        #expect(
            fact
                == .connection(
                    .request(
                        ConnectionName(launch: 0, number: 3), method: "GET",
                        target: "/film.mov")))
    }
}
