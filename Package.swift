// swift-tools-version: 6.2

import PackageDescription

/// Settings every target is built with: layers are guarded by explicit imports, warnings are errors.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// For targets that hand out spans and nonescapable values, or consume them.
let lifetimes: [SwiftSetting] = common + [.enableExperimentalFeature("Lifetimes")]

/// For targets that touch C pointers: each unsafe use is marked.
let audited: [SwiftSetting] = lifetimes + [.strictMemorySafety()]

/// For the programs, when they are to need nothing of the machine that they run on, not even its
/// libraries: they then start in a quarter of the time.
let alone: [LinkerSetting] =
  Context.environment["FOLIO_STATIC"] == nil
  ? []
  : [
    .unsafeFlags(
      ["-static-executable", "-Xclang-linker", "-static-pie", "-use-ld=lld"],
      .when(platforms: [.linux]))
  ]

let package = Package(
  name: "folio",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Folio", targets: ["Folio"]),
    .library(
      name: "FolioProtocol",
      targets: [
        "FolioWire", "FolioTransport", "FolioDomain", "FolioJSON", "FolioCrypto", "FolioSystem",
      ]),
    .library(name: "FolioStorage", targets: ["FolioStore", "LMDB"]),
    .executable(name: "folio", targets: ["FolioCommand"]),
    .executable(name: "folio-server", targets: ["FolioServerCommand"]),
    .executable(name: "folio-conformance", targets: ["FolioConformanceCommand"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]
    ),
    .systemLibrary(name: "CSystem"),

    // Leaves: they know nobody.
    .target(name: "FolioJSON", swiftSettings: lifetimes),
    .target(
      name: "FolioArguments", dependencies: ["FolioJSON", "FolioSystem"], swiftSettings: common),
    .target(name: "FolioCSV", swiftSettings: common),
    .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: audited),

    // The rules.
    .target(name: "FolioDomain", dependencies: ["FolioJSON"], swiftSettings: lifetimes),
    .target(
      name: "FolioCrypto", dependencies: ["CCrypto", "FolioDomain"], swiftSettings: lifetimes),
    .target(
      name: "FolioSystem", dependencies: ["CSystem", "FolioDomain"], swiftSettings: common),

    // The wire.
    .target(
      name: "FolioWire", dependencies: ["FolioDomain", "FolioJSON", "FolioCrypto"],
      swiftSettings: lifetimes),
    .target(
      name: "FolioTransport", dependencies: ["CSystem", "FolioSystem", "FolioDomain"],
      swiftSettings: common),

    // The two sides.
    .target(
      name: "FolioStore",
      dependencies: ["LMDB", "FolioDomain", "FolioCrypto", "FolioJSON", "FolioSystem"],
      swiftSettings: audited),
    .target(
      name: "FolioGateway",
      dependencies: ["FolioWire", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioSystem"],
      swiftSettings: lifetimes),
    .target(
      name: "FolioApp",
      dependencies: [
        "FolioStore", "FolioGateway", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioJSON",
        "FolioCSV", "FolioSystem",
      ],
      swiftSettings: lifetimes),
    .target(
      name: "FolioServer",
      dependencies: [
        "LMDB", "FolioWire", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioJSON",
        "FolioCSV", "FolioSystem",
      ],
      swiftSettings: lifetimes),

    // A report as a page, beside the command line that writes it.
    .target(name: "FolioReportPage", dependencies: ["FolioDomain"], swiftSettings: common),

    // What an app embeds, and the two command lines.
    .target(
      name: "Folio",
      dependencies: ["FolioApp", "FolioGateway", "FolioStore", "FolioDomain", "FolioJSON"],
      swiftSettings: common),
    .executableTarget(
      name: "FolioCommand",
      dependencies: [
        "FolioApp", "FolioGateway", "FolioTransport", "FolioStore", "LMDB", "FolioDomain",
        "FolioCrypto", "FolioJSON", "FolioArguments", "FolioSystem", "FolioReportPage",
      ],
      swiftSettings: common, linkerSettings: alone),
    .executableTarget(
      name: "FolioServerCommand",
      dependencies: [
        "FolioServer", "FolioTransport", "FolioDomain", "FolioJSON", "FolioArguments",
        "FolioSystem",
      ],
      swiftSettings: common, linkerSettings: alone),

    // What checks any client or server against the protocol.
    .target(
      name: "FolioConformance",
      dependencies: [
        "FolioWire", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioJSON", "FolioSystem",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "FolioConformanceCommand",
      dependencies: ["FolioConformance", "FolioArguments", "FolioJSON", "FolioSystem"],
      swiftSettings: common),

    // Tests: one target a module, then those that cross modules.
    .target(
      name: "TestSupport",
      dependencies: [
        "FolioGateway", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioJSON", "FolioSystem",
      ],
      path: "Tests/TestSupport", swiftSettings: common),
    .testTarget(
      name: "FolioSystemTests", dependencies: ["FolioSystem", "FolioDomain", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "FolioJSONTests", dependencies: ["FolioJSON", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "FolioCSVTests", dependencies: ["FolioCSV", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "FolioArgumentsTests", dependencies: ["FolioArguments"], swiftSettings: common),
    .testTarget(
      name: "LMDBTests", dependencies: ["LMDB", "TestSupport"],
      exclude: ["MustNotCompile"], swiftSettings: common),
    .testTarget(
      name: "FolioDomainTests",
      dependencies: ["FolioDomain", "FolioJSON", "FolioCrypto", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "FolioCryptoTests", dependencies: ["FolioCrypto", "FolioDomain", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "FolioWireTests",
      dependencies: ["FolioWire", "FolioDomain", "FolioJSON", "FolioCrypto", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "FolioTransportTests",
      dependencies: ["FolioTransport", "FolioSystem", "FolioDomain", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "FolioStoreTests",
      dependencies: [
        "FolioStore", "LMDB", "FolioDomain", "FolioJSON", "FolioCrypto", "FolioSystem",
        "StoreWorld", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "FolioGatewayTests",
      dependencies: [
        "FolioGateway", "FolioWire", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioSystem",
        "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "FolioServerTests",
      dependencies: [
        "FolioServer", "FolioWire", "FolioTransport", "FolioDomain", "FolioCrypto", "FolioJSON",
        "FolioSystem", "LMDB", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "FolioAppTests",
      dependencies: [
        "FolioApp", "FolioStore", "FolioServer", "FolioGateway", "FolioWire", "FolioTransport",
        "FolioDomain", "FolioCrypto", "FolioJSON", "FolioSystem", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "FolioReportPageTests",
      dependencies: ["FolioReportPage", "FolioDomain", "FolioCrypto", "TestSupport"],
      swiftSettings: common),
    .testTarget(name: "FolioTests", dependencies: ["Folio", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Folio", "FolioCommand", "FolioServerCommand", "FolioDomain", "FolioJSON", "FolioSystem",
        "TestSupport",
      ],
      path: "Tests/EndToEnd", swiftSettings: common),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "FolioConformance", "FolioConformanceCommand", "FolioCommand", "FolioServerCommand",
        "FolioApp", "FolioStore", "FolioServer", "FolioGateway", "FolioWire", "FolioTransport",
        "FolioDomain", "FolioCrypto", "FolioJSON", "FolioSystem", "TestSupport",
      ],
      path: "Tests/Conformance", exclude: ["Wrong"], swiftSettings: common),

    // What breaks storage on purpose. Nothing may depend on the interposer but that program: its
    // calls would take the place of the system's in whatever it is linked into.
    .target(name: "CrashInterposer", path: "Tests/Crash/Interposer"),
    .target(
      name: "StoreWorld",
      dependencies: [
        "FolioStore", "LMDB", "FolioDomain", "FolioJSON", "FolioCrypto", "TestSupport",
      ],
      path: "Tests/Crash/World", swiftSettings: common),
    .executableTarget(
      name: "folio-crash",
      dependencies: [
        "CrashInterposer", "StoreWorld", "FolioStore", "FolioServer", "FolioWire",
        "FolioTransport", "LMDB", "FolioDomain", "FolioCrypto", "FolioSystem", "TestSupport",
      ],
      path: "Tests/Crash/Harness", swiftSettings: lifetimes),
    .testTarget(
      name: "CrashTests", dependencies: ["FolioSystem", "TestSupport"],
      path: "Tests/Crash/Tests", swiftSettings: common),

    // Devices and a server in one thread, under every fault that a seed brings.
    .target(
      name: "Simulation",
      dependencies: [
        "FolioApp", "FolioStore", "FolioServer", "FolioGateway", "FolioWire", "FolioDomain",
        "FolioCrypto", "FolioJSON", "FolioSystem", "LMDB", "TestSupport",
      ],
      path: "Tests/Simulation/World", swiftSettings: common),
    .executableTarget(
      name: "folio-simulate", dependencies: ["Simulation"], path: "Tests/Simulation/Command",
      swiftSettings: common),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation"], path: "Tests/Simulation/Checks",
      swiftSettings: common),

    // The hot paths, for their instructions to be counted.
    .executableTarget(
      name: "folio-counts",
      dependencies: [
        "FolioStore", "FolioServer", "FolioWire", "FolioDomain", "FolioCrypto", "FolioJSON",
        "FolioSystem", "TestSupport",
      ],
      path: "Tests/Counts/Sources", swiftSettings: common),

    // Laws that hold for any bytes: tried on kept ones by a test, on others by programs.
    // Apart, since a fuzzer counts what runs of all that it is linked with, after each input.
    .target(
      name: "WireLaws", dependencies: ["FolioWire", "FolioDomain", "FolioJSON", "FolioSystem"],
      path: "Tests/Fuzz/Laws/Wire", swiftSettings: common),
    .target(
      name: "SessionLaws",
      dependencies: [
        "WireLaws", "FolioServer", "FolioGateway", "FolioWire", "FolioDomain", "FolioCrypto",
        "FolioJSON", "FolioSystem", "TestSupport",
      ],
      path: "Tests/Fuzz/Laws/Sessions", swiftSettings: common),
    .testTarget(
      name: "FuzzReplayTests",
      dependencies: [
        "WireLaws", "SessionLaws", "FolioServer", "FolioWire", "FolioDomain", "FolioSystem",
        "TestSupport",
      ],
      path: "Tests/Fuzz/Replay", swiftSettings: common),
  ]
)

// Programs for libFuzzer have no main of their own and link with its sanitizer only, so that they
// are there for Tests/Fuzz/run alone.
if Context.environment["FOLIO_FUZZ"] != nil {
  func program(_ name: String, _ laws: Target.Dependency...) -> Target {
    .executableTarget(
      name: "Fuzz\(name)", dependencies: laws, path: "Tests/Fuzz/Programs/\(name)",
      swiftSettings: common)
  }
  package.targets += ["Framer", "Message", "Decimal"].map { program($0, "WireLaws") }
  package.targets += ["Prices", "Server", "Client"].map { program($0, "WireLaws", "SessionLaws") }
}
