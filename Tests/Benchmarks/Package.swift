// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what only a benchmark needs burdens nobody else.
let package = Package(
  name: "folio-benchmarks",
  dependencies: [.package(name: "folio", path: "../..")],
  targets: [
    .systemLibrary(name: "CEngine", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(name: "CBaseline", dependencies: ["CEngine"], linkerSettings: [.linkedLibrary("lmdb")]),
    .executableTarget(
      name: "folio-bench",
      dependencies: [
        "CBaseline", .product(name: "Folio", package: "folio"),
        .product(name: "FolioProtocol", package: "folio"),
        .product(name: "FolioStorage", package: "folio"),
      ],
      path: "Sources/FolioBench",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
