import Testing

@testable import Capture

@Suite struct OfferedWindowsTests {
    @Test func `a window is held against the one before of the same end, not of the same port`() {
        var windows = OfferedWindows()
        let first = OfferedWindows.End(stream: 0, port: 80)
        let second = OfferedWindows.End(stream: 1, port: 80)
        let opened = [
            windows.opens(100, by: first), windows.opens(50, by: second),
            windows.opens(100, by: first), windows.opens(51, by: second),
            windows.opens(50, by: second), windows.opens(101, by: first),
        ]
        #expect(opened == [false, false, false, true, false, true])
    }
}
