package import RunLog

/// An app that is installed on a phone.
package struct PlannedApp: Hashable, Sendable {
    /// `nil` for the first app of a run.
    package var name: String?
    package var files: [PlannedFile]
    package var sessions: [PlannedSession]
    /// The app's behaviour, which counts sessions from the app's first one.
    package var app: AppPlan

    package init(
        name: String? = nil, files: [PlannedFile], sessions: [PlannedSession],
        app: AppPlan = AppPlan()
    ) {
        self.name = name
        self.files = files
        self.sessions = sessions
        self.app = app
    }

    package var counts: ItemCounts {
        var counts = ItemCounts()
        for facade in Facade.allCases { counts[facade] = UInt64(count(facade)) }
        counts.transfersOfSessions = sessions.reduce(0) { $0 + $1.transferCount }
        return counts
    }

    private func count(_ facade: Facade) -> Int {
        facade == .queue ? sessions.count : app.numbers(facade).count
    }
}
