/// Names a typed value that travels with a call: through its plugins and into its result, never onto the wire.
///
/// ```swift
/// enum Screen: UserInfoKey { static let defaultValue = "none" }
/// request.userInfo[Screen.self] = "settings"
/// ```
public protocol UserInfoKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value where none was set.
    static var defaultValue: Value { get }
}

/// Typed values that travel with a call.
public struct UserInfo: Sendable {
    private var values: [ObjectIdentifier: any Sendable]?

    /// No values.
    public init() {}

    /// The value under a key.
    public subscript<Key: UserInfoKey>(key: Key.Type) -> Key.Value {
        get {
            // Not in one expression: a missing value is nil, and nil is a value of an optional type.
            guard let stored = values?[ObjectIdentifier(key)], let value = stored as? Key.Value else {
                return Key.defaultValue
            }
            return value
        }
        set { values = (values ?? [:]).merging([ObjectIdentifier(key): newValue]) { $1 } }
    }

    /// These values with the others' where these have none under that key.
    func merging(defaults: UserInfo) -> UserInfo {
        guard let others = defaults.values else { return self }
        var copy = self
        copy.values = (values ?? [:]).merging(others) { own, _ in own }
        return copy
    }
}
