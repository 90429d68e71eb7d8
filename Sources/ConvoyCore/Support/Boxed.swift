/// An optional value that is kept elsewhere, so that whatever holds it stays small.
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    init(_ value: Value? = nil) { self.value = value }

    var value: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }
}
