import Reports
import Testing

/// Build servers resolve the paths of reports in the folder of the build.
@Suite struct WorkspaceTests {
    @Test(arguments: [
        ("a.yaml", "a.yaml"), ("./b/a.yaml", "b/a.yaml"), ("/w/c/d/a.yaml", "d/a.yaml"),
        ("../a.yaml", "/w/a.yaml"), ("/elsewhere/a.yaml", "/elsewhere/a.yaml"),
        ("/w/cc/a.yaml", "/w/cc/a.yaml"), ("x y/ä.yaml", "x y/ä.yaml"),
    ])
    func `without a build server, paths are relative to the current folder`(
        path: String, shown: String
    ) {
        #expect(Workspace([:], current: "/w/c").path(path) == shown)
    }

    @Test(arguments: ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"])
    func `a build server names the folder, and it counts if the current folder is inside`(
        variable: String
    ) {
        #expect(Workspace([variable: "/w"], current: "/w/c").path("a.yaml") == "c/a.yaml")
        #expect(Workspace([variable: "/w"], current: "/w").path("a.yaml") == "a.yaml")
        #expect(Workspace([variable: "/other"], current: "/w/c").path("a.yaml") == "a.yaml")
    }
}
