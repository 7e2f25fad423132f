extension Environment {
  /// Opens the environment of a folder, or makes it.
  ///
  /// The folder and all files made have modes 0700 and 0600 whatever the umask, and their names are
  /// synced. The head of the data file and its length are checked before the engine maps it.
  ///
  /// - Throws: ``StorageError/alreadyOpen(path:)`` where this process has the folder open,
  ///   ``StorageError/locked(path:holder:)`` where another has it to itself (or anybody at all has
  ///   it, and it is to be opened exclusively), ``StorageError/missing(path:)`` and
  ///   ``StorageError/databaseMissing(name:)`` where it is for reading only,
  ///   ``StorageError/databaseUnknown(missing:)`` where a name seems to be damaged, one of
  ///   ``StorageError/fileTruncated(path:byteCount:needed:)``,
  ///   ``StorageError/notAnEnvironment(path:)``, ``StorageError/formatUnsupported(path:version:)``
  ///   and ``StorageError/metaPageDamaged(path:page:what:)`` for a damaged data file, and errors of
  ///   the system.
  public static func open(at directory: String, _ options: Options = Options())
    throws(StorageError) -> Environment
  {
    try options.check()
    if !options.readOnly { _ = try System.makeFolder(directory) }
    let tenancy = try Tenancy(folder: directory, options)
    do throws(StorageError) {
      let files = EnvironmentFiles(folder: directory, faults: options.faults)
      try files.prepare(tenancy, options)
      try tenancy.take(dataFile: files.data)
      try files.check(options)
      var engine = try OpenedEngine(options)
      try engine.open(directory, options)
      try engine.openDatabases(options)
      let map = try engine.findMap(files.data)
      return Environment(engine, map, path: directory, options: options, tenancy: tenancy)
    } catch {
      tenancy.end()
      throw error
    }
  }
}
