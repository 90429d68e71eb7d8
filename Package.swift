// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

/// A C library of the system, found by pkg-config; `swift build` names the Debian package when it is missing.
func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func test(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

let package = Package(
    name: "convoy",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Convoy", targets: ["Convoy"]),
        .library(name: "ConvoyCore", targets: ["ConvoyCore"]),
        .library(name: "ConvoyCurl", targets: ["ConvoyCurl"]),
        .library(name: "ConvoyServer", targets: ["ConvoyServer"]),
        .library(name: "ConvoyTesting", targets: ["ConvoyTesting"]),
        .executable(name: "convoy", targets: ["ConvoyCLI"]),
    ],
    traits: [
        .trait(name: "Brotli", description: "Decode and encode the br content coding (needs libbrotli)."),
        .trait(name: "Zstd", description: "Decode and encode the zstd content coding (needs libzstd)."),
        .default(enabledTraits: ["Brotli", "Zstd"]),
    ],
    targets: [
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        system("CBrotli", pkgConfig: "libbrotlienc", apt: "libbrotli-dev", brew: "brotli"),
        system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
        system("CIDN2", pkgConfig: "libidn2", apt: "libidn2-dev", brew: "libidn2"),
        system("CPSL", pkgConfig: "libpsl", apt: "libpsl-dev", brew: "libpsl"),
        .systemLibrary(name: "CLinux"),

        .target(
            name: "ConvoyCore",
            dependencies: [
                .target(name: "CIDN2", condition: .when(platforms: [.linux])),
                .target(name: "CPSL", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ConvoyCompression",
            dependencies: [
                "ConvoyCore", "CZlib",
                .target(name: "CBrotli", condition: .when(platforms: [.linux], traits: ["Brotli"])),
                .target(name: "CZstd", condition: .when(platforms: [.linux], traits: ["Zstd"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ConvoyCurl",
            dependencies: ["ConvoyCore", "ConvoyCompression", "CCurl", "COpenSSL"],
            swiftSettings: strict
        ),
        .target(
            name: "Convoy",
            dependencies: ["ConvoyCore", .target(name: "ConvoyCurl", condition: .when(platforms: [.linux]))],
            swiftSettings: strict
        ),
        .target(
            name: "ConvoyServer",
            dependencies: ["ConvoyCore", "COpenSSL", "CLinux"],
            swiftSettings: strict
        ),
        .target(name: "ConvoyTesting", dependencies: ["ConvoyCore", "ConvoyServer"], swiftSettings: strict),
        .executableTarget(
            name: "ConvoyCLI", dependencies: ["Convoy", "ConvoyCompression", "ConvoyServer"], swiftSettings: strict),

        test("ConvoyCoreTests", ["ConvoyCore", "ConvoyTesting"]),
        test("ConvoyCompressionTests", ["ConvoyCompression"]),
        test("ConvoyCurlTests", ["ConvoyCurl", "ConvoyTesting"]),
        test("ConvoyServerTests", ["ConvoyServer", "ConvoyTesting", "COpenSSL"]),
        test("ConvoyTestingTests", ["ConvoyTesting"]),
        test("SoakTests", ["ConvoyCurl", "ConvoyTesting"]),
        test("ConvoyTests", ["Convoy", "ConvoyCompression", "ConvoyServer", "ConvoyTesting"]),
        test("ConvoyCLITests", ["ConvoyCLI", "ConvoyTesting", "CLinux"]),
        test("Conformance", ["Convoy"], path: "Tests/Conformance"),
    ],
    swiftLanguageModes: [.v6]
)
