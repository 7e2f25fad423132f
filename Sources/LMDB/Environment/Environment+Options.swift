extension Environment {
  /// How an environment is opened.
  public struct Options: Sendable {
    /// How much address space the map takes, which is the most the file can grow to.
    ///
    /// It costs nothing until it is used.
    public var mapByteCount = 32 << 30

    /// How much the pages in use may take before a put is refused, or nil for seven eighths of the
    /// map.
    ///
    /// What is left above it is room for deleting.
    public var quotaByteCount: Int?

    /// How many read transactions there can be at once, in all processes together.
    ///
    /// The first process to open the folder sets it for all.
    public var readerCountMax = 126

    /// The databases to open; those not there are made, unless it is opened for reading only.
    public var databases: [String] = []

    /// Whether nothing is to be written, or made where it is missing.
    public var readOnly = false

    /// What the lock file calls this process, or nil for the name of its program.
    public var applicationLabel: String?

    /// Whether nobody else may have the folder open, as repair and restore need it.
    public var exclusive = false

    /// How long to wait for others to give up the folder before an error names them.
    public var lockWait: Duration = .seconds(5)

    /// What makes steps of the storage fail, in tests.
    public var faults: (any StorageFaults)?

    /// The options of every store: 32 GiB of map, shared with other processes, no databases.
    public init() {}

    /// The usual options with those databases.
    public init(databases: [String]) {
      self.databases = databases
    }

    func check() throws(StorageError) {
      guard mapByteCount >= 1 << 16 else {
        throw .invalidOption("the map has \(mapByteCount) bytes; it takes 65536 or more")
      }
      guard readerCountMax >= 1, readerCountMax <= 1 << 16 else {
        throw .invalidOption("\(readerCountMax) readers; there can be 1 to 65536")
      }
      if let quotaByteCount, quotaByteCount < 1 || quotaByteCount > mapByteCount {
        throw .invalidOption(
          "the quota of \(quotaByteCount) bytes is not within the map of \(mapByteCount)")
      }
      var seen: Set<String> = []
      for name in databases {
        guard (1...keyByteCountMax).contains(name.utf8.count),
          name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
          throw .invalidOption(
            "a database's name has 1 to \(keyByteCountMax) visible ASCII characters")
        }
        guard seen.insert(name).inserted else {
          throw .invalidOption("the database \(name) is named twice")
        }
      }
    }
  }
}
