#if SANITIZE_THREAD
    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    /// A value under a lock that ThreadSanitizer can see: it knows pthread's, and takes every value under the standard
    /// library's `Mutex` for unguarded. Used by `make sanitize` only.
    package final class Locked<Value>: @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        /// In memory of its own: a value of no size would share its address with the object, of which others read.
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        package init(_ value: sending Value) {
            self.value.initialize(to: value)
            pthread_mutex_init(lock, nil)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#else
    import Synchronization

    /// A value under a lock: the standard library's `Mutex`, by a name that `make sanitize` can give to another.
    package typealias Locked = Mutex
#endif
