// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what only a benchmark needs burdens nobody else.
let package = Package(
  name: "folio-benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "folio", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CEngine", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CBaseline", dependencies: ["CEngine"]),
    .executableTarget(
      name: "folio-bench",
      dependencies: [
        "CBaseline", "CSQLite",
        .product(name: "FolioProtocol", package: "folio"),
        .product(name: "FolioStorage", package: "folio"),
        .product(name: "Folio", package: "folio"),
      ],
      path: "Sources/FolioBench",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
