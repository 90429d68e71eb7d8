// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

// A package of its own, so that building and testing Convoy never builds the benchmarks. `make bench` does.
let package = Package(
    name: "convoy-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "convoy", path: "..")],
    targets: [
        .target(name: "BenchSupport", swiftSettings: strict),
        .executableTarget(
            name: "bench-convoy",
            dependencies: ["BenchSupport", .product(name: "Convoy", package: "convoy")],
            swiftSettings: strict
        ),
        .executableTarget(name: "bench-urlsession", dependencies: ["BenchSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
