/// What a rule is about. It decides which events of the log explain why the rule failed.
package enum RuleSubject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The content of objects and of downloaded files.
    case content
    /// Body bytes that are sent more than once.
    case repetition
    /// The order of the sessions in a queue.
    case order
    /// The attempts of an item, and the pauses between them.
    case attempts
}
