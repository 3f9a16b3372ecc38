import Foundation
import Testing

/// A folder that cannot be listed is an error: its scenarios would be missed by nobody.
@Suite struct UnlistedFolderTests {
    /// Below a path of more than 4096 bytes, no user can list a folder, be it root.
    @Test func `a folder that cannot be listed is named, and nothing is played`() throws {
        let desk = try Desk()
        let answer = try desk.shell(
            """
            mkdir deep && cp green.yaml deep && name=$(printf '%0200d' 0) && (
                cd deep && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22
                do mkdir $name && cd -P $name || exit; done
            ) 2>/dev/null; "$lab" run deep; code=$?; rm -rf deep; exit $code
            """)
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.output.isEmpty, "\(answer.output)")
        #expect(answer.errors.contains("deep/0"), "\(answer.errors)")
        #expect(answer.errors.contains(" cannot be read: "), "\(answer.errors)")
        #expect(answer.errors.contains("name the scenarios to play"), "\(answer.errors)")
    }
}
