/// An error that has a number and a name in what the systems' makers have published.
public protocol PublishedError: Error, Hashable, Sendable {
    var code: Int { get }
    var message: String { get }
}
