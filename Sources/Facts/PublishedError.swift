/// An error with a published code and message.
public protocol PublishedError: Error, Hashable, Sendable {
    var code: Int { get }
    var message: String { get }
}
