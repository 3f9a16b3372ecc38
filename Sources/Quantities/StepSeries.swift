/// A long series of steps in few bytes: each step has a distance from the step before it, and a
/// value. A recording of an hour has millions of steps. Nearly all of their numbers are small, so
/// each number is written with seven bits per byte.
package struct StepSeries: Hashable, Sendable {
    private var bytes: [UInt8] = []
    /// The state of a walk at every so many steps, so that a search need not begin at the start.
    private var marks: [Walk] = []
    private var last = Walk()
    package private(set) var count = 0

    private static let stepsPerMark = 64

    /// A walk along a series: the step that it has reached.
    package struct Walk: Hashable, Sendable {
        fileprivate var offset = 0
        /// The sum of the distances up to this step, zero before the first step.
        package fileprivate(set) var place: UInt64 = 0
        package fileprivate(set) var value: UInt64 = 0
        /// The sum of the values of all earlier steps.
        package fileprivate(set) var before: UInt64 = 0

        /// A walk that has not reached the first step.
        package init() {}
    }

    package init() {}

    package mutating func append(after distance: UInt64, _ value: UInt64) {
        if count % Self.stepsPerMark == 0 { marks.append(last) }
        append(distance)
        append(value)
        count += 1
        last.before += last.value
        last.place += distance
        last.value = value
        last.offset = bytes.count
    }

    private mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The place of the last step.
    package var length: UInt64 { last.place }
    /// The sum of all values.
    package var total: UInt64 { last.before + last.value }

    /// Moves a walk to the next step; returns false at the end, and leaves the walk there.
    package func advance(_ walk: inout Walk) -> Bool {
        guard walk.offset < bytes.count else { return false }
        walk.before += walk.value
        walk.place += number(at: &walk.offset)
        walk.value = number(at: &walk.offset)
        return true
    }

    private func number(at offset: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { return number }
            shift += 7
        }
    }

    /// Returns a walk at the last step up to a place, or before the first step.
    package func walk(upTo place: UInt64) -> Walk {
        walk { $0.place <= place }
    }

    /// Returns a walk at the step that holds this unit of the sum of all values, counted from 0.
    package func walk(holding unit: UInt64) -> Walk {
        walk { $0.before <= unit }
    }

    /// Returns a walk at the last step that is not too far. Once a step is too far, all later steps
    /// are.
    private func walk(_ isReached: (Walk) -> Bool) -> Walk {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if middle == 0 || isReached(marks[middle]) { low = middle + 1 } else { high = middle }
        }
        var walk = low == 0 ? Walk() : marks[low - 1]
        var next = walk
        while advance(&next), isReached(next) { walk = next }
        return walk
    }
}

extension StepSeries: Codable {
    /// The steps as words: `3` is a distance with the value 1, and `3:20` has the value 20.
    package var text: String {
        var words = ""
        var walk = Walk()
        var place: UInt64 = 0
        while advance(&walk) {
            if !words.isEmpty { words += " " }
            words += String(walk.place - place)
            if walk.value != 1 { words += ":" + String(walk.value) }
            place = walk.place
        }
        return words
    }

    /// Reads words as `text` writes them; `nil` for anything else.
    package init?(text: String) {
        self.init()
        var numbers: (distance: UInt64?, value: UInt64?) = (nil, nil)
        var isValue = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "):
                guard append(numbers, isValue) else { return nil }
                numbers = (nil, nil)
                isValue = false
            case UInt8(ascii: ":") where !isValue: isValue = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = UInt64(byte - UInt8(ascii: "0"))
                let known = (isValue ? numbers.value : numbers.distance) ?? 0
                guard known < UInt64.max / 10 else { return nil }
                let number = known * 10 + digit
                if isValue { numbers.value = number } else { numbers.distance = number }
            default: return nil
            }
        }
        guard text.isEmpty || append(numbers, isValue) else { return nil }
    }

    private mutating func append(
        _ numbers: (distance: UInt64?, value: UInt64?), _ isValue: Bool
    ) -> Bool {
        guard let distance = numbers.distance, !isValue || numbers.value != nil,
            length <= UInt64.max / 2, distance <= UInt64.max / 2,
            total <= UInt64.max / 2, numbers.value ?? 1 <= UInt64.max / 2
        else { return false }
        append(after: distance, numbers.value ?? 1)
        return true
    }

    package init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let series = StepSeries(text: text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a series of steps has words such as 3 and 3:20"))
        }
        self = series
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
