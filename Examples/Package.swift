// swift-tools-version: 6.2

import PackageDescription

/// Small programs that use Convoy as any other package would: `swift run --package-path Examples Quickstart`.
func example(_ name: String, _ products: String...) -> Target {
    .executableTarget(name: name, dependencies: products.map { .product(name: $0, package: "convoy") })
}

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "convoy", path: "..")],
    targets: [
        example("Quickstart", "Convoy", "ConvoyServer"),
        example("Streaming", "Convoy", "ConvoyServer"),
        example("Plugins", "Convoy", "ConvoyServer"),
        example("Faults", "Convoy", "ConvoyTesting"),
    ],
    swiftLanguageModes: [.v6]
)
