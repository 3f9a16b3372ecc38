/// The demand that the runs of a suite decide every clause together, with named exceptions.
package struct EvidenceDemand: Hashable, Sendable, Codable {
    /// The place of the demand, as `file:line:column`.
    package var place: String
    /// The clauses that nothing has to decide, each with a reason.
    package var exceptions: [Exception]

    package struct Exception: Hashable, Sendable, Codable {
        /// The clause, such as `S10 budget`.
        package var clause: String
        package var reason: String
        package var place: String

        package init(clause: String, reason: String, place: String) {
            self.clause = clause
            self.reason = reason
            self.place = place
        }
    }

    package init(place: String, exceptions: [Exception] = []) {
        self.place = place
        self.exceptions = exceptions
    }
}
