import RunLog
import Testing

/// Bits of the real file of a dead process are changed, and the next one finds what is left.
@Suite struct FlippedBitsForRealTests {
    @Test func `a store whose bits flip is set aside, and the app adds again what it wants`() throws
    {
        let play = try LivePlay(
            """
            name: flipped bits
            why: what is lost is told, and added again
            device: { os: android-14 }
            links:
              uplink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { a.bin: 1 MB, b.bin: 100 kB }
            queue:
              - { upload: a.bin, to: in/a.bin }
              - { upload: b.bin, to: in/b.bin }
            app: [on store set aside: enqueue session 2]
            timeline:
              - when session 1 at 20 %: app killed
              - 100 ms after session 1 at 20 %: disk flips 4000 bits
              - 200 ms after session 1 at 20 %: app launched
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        #expect(facts.contains(.device(.bitsFlipped(count: 4_000))))
        let names = facts.compactMap { fact -> String? in
            if case .store(.setAside(let name, _, _, _)) = fact { name } else { nil }
        }
        #expect(names == ["queue.sqlite.damaged-1"])
        #expect(facts.contains(.queue(.storeWasSetAside(as: "queue.sqlite.damaged-1"))))
        let published = facts.compactMap { fact -> String? in
            if case .server(.published(_, let object, _, _)) = fact { object } else { nil }
        }
        #expect(published.last == "in/b.bin")
        #expect(try play.leftovers() == [])
    }
}
