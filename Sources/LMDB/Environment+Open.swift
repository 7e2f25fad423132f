extension Environment {
  /// Opens the environment of a folder, or makes it.
  ///
  /// The folder and all files made have modes 0700 and 0600 whatever the umask, and their names are
  /// synced.
  ///
  /// - Throws: ``StorageError/alreadyOpen(path:)`` where this process has the folder open,
  ///   ``StorageError/locked(path:holder:)`` where another has it to itself, an error of a damaged
  ///   head of the data file, and errors of the system.
  public static func open(at directory: String, _ options: Options = Options()) throws(StorageError)
    -> Environment
  {
    try options.check()
    if !options.readOnly { _ = try System.makeFolder(directory) }
    let tenancy = try Tenancy(folder: directory)
    do throws(StorageError) {
      var engine = try OpenedEngine(options)
      try engine.open(directory, options)
      try engine.openDatabases(options)
      return Environment(engine, path: directory, options: options, tenancy: tenancy)
    } catch {
      tenancy.end()
      throw error
    }
  }
}
