/// A breach found by a part of a check.
struct Slip: Error, Hashable {
    var expected: String
    var seen: String
}

/// The refusal of a callback or request by a grammar; `expected` says in words what is allowed.
struct NotAllowed: Error, Hashable {
    var expected: String
}
