import Checks
import Reports
import RunLog
import Scenario

extension RunHints {
    /// Tasks that completed with the answer of a failure, which is no error to a background
    /// session (B8).
    var failedAnswers: [String] {
        figures.tasks.compactMap { task in
            guard task.outcome == .completed, let status = task.task?.status, status >= 400,
                !isExpected(status, of: task.session)
            else { return nil }
            let why =
                status == 409 && task.task?.isDownload == false
                ? "409 often means that the folder is missing; " : ""
            return "\(task.session) has completed, but with the answer \(status): \(why)if that is "
                + "meant, expect “\(task.session) is answered \(status)”"
        }
    }

    /// Whether an expectation speaks of this answer.
    private func isExpected(_ status: Int, of task: ItemName) -> Bool {
        wishes.contains { wish in
            switch wish {
            case .taskIsTold(task, status: status, within: _): true
            case .happens(.answer(status), _): true
            default: false
            }
        }
    }
}
