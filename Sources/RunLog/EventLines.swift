package import Foundation

/// `events.jsonl`: one event per line, in order.
package enum EventLines {
    package struct Unreadable: Error, Hashable {
        package var line: Int
        package var reason: String
    }

    /// Returns the line of an event, without a line break.
    package static func line(for event: RunEvent) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(event) } catch {
            preconditionFailure("an event cannot be encoded: \(error)")
        }
    }

    package static func event(from line: Data, number: Int) throws(Unreadable) -> RunEvent {
        do { return try JSONDecoder().decode(RunEvent.self, from: line) } catch {
            throw Unreadable(line: number, reason: reason(for: error))
        }
    }

    /// Returns all events of a file. An incomplete last line, cut off by a kill, is left out.
    package static func events(in contents: Data) throws(Unreadable) -> [RunEvent] {
        var events: [RunEvent] = []
        var number = 0
        var rest = contents[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            number += 1
            let line = rest[rest.startIndex..<end]
            if !line.isEmpty { events.append(try event(from: Data(line), number: number)) }
            rest = rest[rest.index(after: end)...]
        }
        return events
    }

    private static func reason(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .dataCorrupted(let context): return context.debugDescription
        case .keyNotFound(let key, _): return "no “\(key.stringValue)”"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.debugDescription
        @unknown default: return "\(error)"
        }
    }
}
