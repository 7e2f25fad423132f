#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Errno {
  /// The call is not permitted.
  public static let notPermitted = Errno(EPERM)
  /// No such file or folder.
  public static let notFound = Errno(ENOENT)
  /// A signal came before anything was done.
  public static let interrupted = Errno(EINTR)
  /// Reading or writing the medium failed.
  public static let inputOutput = Errno(EIO)
  /// No such process is a child of this one.
  public static let noChild = Errno(ECHILD)
  /// Nothing can be done at this moment without waiting.
  public static let wouldBlock = Errno(EAGAIN)
  /// There is no memory for it.
  public static let noMemory = Errno(ENOMEM)
  /// The file's mode does not allow it.
  public static let accessDenied = Errno(EACCES)
  /// It exists already.
  public static let exists = Errno(EEXIST)
  /// It is no folder.
  public static let notAFolder = Errno(ENOTDIR)
  /// It is a folder.
  public static let isAFolder = Errno(EISDIR)
  /// An argument is not valid.
  public static let invalidArgument = Errno(EINVAL)
  /// The system has no descriptor left.
  public static let tooManyFilesInSystem = Errno(ENFILE)
  /// This process has no descriptor left.
  public static let tooManyFiles = Errno(EMFILE)
  /// The file would become larger than is allowed.
  public static let fileTooLarge = Errno(EFBIG)
  /// The disk is full.
  public static let noSpace = Errno(ENOSPC)
  /// The file system is mounted for reading only.
  public static let readOnlyFileSystem = Errno(EROFS)
  /// Nobody reads from the pipe or socket any more.
  public static let brokenPipe = Errno(EPIPE)
  /// The folder is not empty.
  public static let notEmpty = Errno(ENOTEMPTY)
  /// The file system cannot do that.
  public static let notSupported = Errno(EOPNOTSUPP)
  /// A name is too long.
  public static let nameTooLong = Errno(ENAMETOOLONG)
  /// There are more symbolic links on the way than are followed.
  public static let tooManyLinks = Errno(ELOOP)
  /// The address is in use.
  public static let addressInUse = Errno(EADDRINUSE)
  /// No interface has that address.
  public static let addressNotAvailable = Errno(EADDRNOTAVAIL)
  /// The connection was given up by this side.
  public static let connectionAborted = Errno(ECONNABORTED)
  /// The peer threw the connection away.
  public static let connectionReset = Errno(ECONNRESET)
  /// Nobody listens there.
  public static let connectionRefused = Errno(ECONNREFUSED)
  /// The connection is being made.
  public static let inProgress = Errno(EINPROGRESS)
  /// The peer did not answer in the time that the system gives.
  public static let timedOut = Errno(ETIMEDOUT)
  /// The disk quota is used up.
  public static let quotaExceeded = Errno(EDQUOT)

  static let names: [Int32: String] = [
    EPERM: "EPERM", ENOENT: "ENOENT", ESRCH: "ESRCH", EINTR: "EINTR", EIO: "EIO",
    ENXIO: "ENXIO", E2BIG: "E2BIG", ENOEXEC: "ENOEXEC", EBADF: "EBADF", ECHILD: "ECHILD",
    EAGAIN: "EAGAIN", ENOMEM: "ENOMEM", EACCES: "EACCES", EFAULT: "EFAULT", EBUSY: "EBUSY",
    EEXIST: "EEXIST", EXDEV: "EXDEV", ENODEV: "ENODEV", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR",
    EINVAL: "EINVAL", ENFILE: "ENFILE", EMFILE: "EMFILE", ENOTTY: "ENOTTY", ETXTBSY: "ETXTBSY",
    EFBIG: "EFBIG", ENOSPC: "ENOSPC", ESPIPE: "ESPIPE", EROFS: "EROFS", EMLINK: "EMLINK",
    EPIPE: "EPIPE", EDOM: "EDOM", ERANGE: "ERANGE", EDEADLK: "EDEADLK",
    ENAMETOOLONG: "ENAMETOOLONG", ENOLCK: "ENOLCK", ENOSYS: "ENOSYS", ENOTEMPTY: "ENOTEMPTY",
    ELOOP: "ELOOP", EOVERFLOW: "EOVERFLOW", ENOTSOCK: "ENOTSOCK",
    EADDRINUSE: "EADDRINUSE", EADDRNOTAVAIL: "EADDRNOTAVAIL", EAFNOSUPPORT: "EAFNOSUPPORT",
    ENETUNREACH: "ENETUNREACH", ECONNABORTED: "ECONNABORTED", ECONNRESET: "ECONNRESET",
    ENOBUFS: "ENOBUFS", EISCONN: "EISCONN", ENOTCONN: "ENOTCONN", ETIMEDOUT: "ETIMEDOUT",
    ECONNREFUSED: "ECONNREFUSED", EHOSTUNREACH: "EHOSTUNREACH", EALREADY: "EALREADY",
    EINPROGRESS: "EINPROGRESS", ESTALE: "ESTALE", EDQUOT: "EDQUOT",
  ]
}
