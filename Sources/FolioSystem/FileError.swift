public import FolioDomain

/// An operation on a file or a folder that failed.
@nonexhaustive
public enum FileError: DomainError, Hashable {
  /// The system refused; `operation` says what was tried, such as `open`.
  case failed(operation: String, path: String, errno: Errno)
  /// The file has more bytes than the caller takes.
  case tooLarge(path: String, byteCountMax: Int)

  /// The path it is about.
  public var path: String {
    switch self {
    case .failed(_, let path, _), .tooLarge(let path, _): path
    }
  }

  /// The system's error, where it was the system that refused.
  public var errno: Errno? {
    switch self {
    case .failed(_, _, let errno): errno
    case .tooLarge: nil
    }
  }

  /// A name for the kind of failure that does not change between versions.
  public var code: String {
    switch errno {
    case nil: "fileTooLarge"
    case .notFound, .notAFolder: "fileNotFound"
    case .exists, .notEmpty: "fileExists"
    case .accessDenied, .notPermitted, .readOnlyFileSystem: "fileNotAllowed"
    case .noSpace, .quotaExceeded: "diskFull"
    case .tooManyFiles, .tooManyFilesInSystem: "tooManyFiles"
    default: "fileFailed"
    }
  }
}

extension FileError {
  /// What could not be done, with the path, and why.
  public var message: String {
    switch self {
    case .failed(let operation, let path, let errno): "cannot \(operation) \(path): \(errno)"
    case .tooLarge(let path, let byteCountMax):
      "\(path) is larger than the \(byteCountMax) bytes that are read"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch errno {
    case nil: "name a smaller file"
    case .notFound, .notAFolder: "check the path"
    case .exists, .notEmpty: "name another path, or move what is there"
    case .accessDenied, .notPermitted, .readOnlyFileSystem: "check who may read and write there"
    case .noSpace, .quotaExceeded: "make room on the disk"
    case .tooManyFiles, .tooManyFilesInSystem: "raise the limit on open files (ulimit -n)"
    default: "check the disk and try again"
    }
  }
}
