import Device
import Testing

@Suite struct OperatingSystemTests {
    @Test func `a system is called by its name and version`() {
        #expect("\(OperatingSystem.iOS(17))" == "iOS 17")
        #expect("\(OperatingSystem.android(9))" == "Android 9")
    }

    @Test func `the versions are those of the language's page`() {
        #expect(OperatingSystem.iOSVersions == 4...18)
        #expect(OperatingSystem.androidVersions == 5...16)
    }
}
